import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Database } from "./client";

const channel = "adjutant_echo";

/**
 * Whether what is told on this database is heard here within so many milliseconds. Behind a pooler that gives each transaction another
 * connection `LISTEN` succeeds, and nothing is ever heard.
 */
export async function listenWorks(
  database: Pick<Database, "listen" | "notify" | "query">,
  timeout: number,
): Promise<boolean> {
  const own = randomUUID();
  const heard = new Promise<boolean>((resolve) => {
    database
      .listen(
        channel,
        (payload) => payload === own && resolve(true),
        () => {},
      )
      .then(() => database.notify(database.query, channel, own))
      // The database is away, which says nothing about what it tells.
      .catch(() => resolve(true));
  });
  return Promise.race([heard, wait(timeout, false, { ref: false })]);
}
