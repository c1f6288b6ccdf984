import { PHASE_PRODUCTION_BUILD } from "next/constants";
import { after } from "next/server";
import type { Context } from "#server/context";
import { getContext } from "#server/create-context";

/**
 * The process's context for one request. A platform that stops the process after an answer lets it first do what was put off.
 * @throws where `next build` asks: it would open the database of a server that may be starting at the same time
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
