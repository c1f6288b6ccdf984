import { openPostgres } from "#db/client";
import { minuteMs } from "#server/platform/time";

/** Runs statements over a connection of their own. */
export async function onPostgres(url: string, ...statements: readonly string[]): Promise<void> {
  const session = openPostgres({ url, pools: { general: 1 }, deadline: minuteMs });
  try {
    for (const statement of statements) await session.script(statement);
  } finally {
    await session.close();
  }
}
