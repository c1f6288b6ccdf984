import type { Context } from "#server/context";
import { isClientId } from "../clients/client";
import { type CallbackAnswer, type CallbackQuery, readCallback } from "./read-callback";

/** What the hosted callback of an application shows. */
export interface CallbackView {
  readonly applicationName: string;
  readonly answer: CallbackAnswer;
}

/** Reads an answer that came to an application's hosted callback; null where no application has one at that address. */
export async function showCallback(
  ctx: Context,
  { clientId, sent }: { readonly clientId: string; readonly sent: CallbackQuery },
): Promise<CallbackView | null> {
  const client = isClientId(clientId) ? await ctx.findClient(clientId) : undefined;
  if (client?.kind !== "public") return null;
  return { applicationName: client.name, answer: readCallback(sent, ctx.settings.baseUrl) };
}
