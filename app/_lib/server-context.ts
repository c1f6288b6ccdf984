import { PHASE_PRODUCTION_BUILD } from "next/constants";
import { after } from "next/server";
import type { Context } from "#server/context";
import { getContext } from "#server/create-context";

/**
 * Deferred work finishes before a platform freezes the process after an answer.
 * @throws during `next build`, which would open the database of a server that may be starting
 */
export async function serverContext(): Promise<Context> {
  if (process.env.NEXT_PHASE === PHASE_PRODUCTION_BUILD)
    throw new Error(
      "A page asked for the database while it was built. Let it ask for its headers first.",
    );
  const ctx = await getContext();
  if (ctx.settings.serverless) after(ctx.settled);
  return ctx;
}
