import { after } from "next/server";
import type { Context } from "#server/context";
import { getContext } from "#server/create-context";

/** The process's context for one request. A platform that stops the process after an answer lets it first do what was put off. */
export async function serverContext(): Promise<Context> {
  const ctx = await getContext();
  if (ctx.settings.serverless) after(ctx.settled);
  return ctx;
}
