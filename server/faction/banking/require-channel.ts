import type { Queryable } from "#db/client";
import { BankingNotConfigured, FactionNotLinked, UnknownChatServer } from "#server/failures";
import { type ChatLink, readChatLink } from "../chat-link/read-chat-link";

/**
 * Where a faction's requests are shown, and which roles a new one mentions.
 * @throws UnknownChatServer, FactionNotLinked, BankingNotConfigured
 */
export async function requireChannel(on: Queryable, factionId: number): Promise<Extract<ChatLink, { state: "ready" }>> {
  const link = await readChatLink(on, factionId);
  if (link.state === "no-server") throw UnknownChatServer.because();
  if (link.state === "not-listed") throw FactionNotLinked.because();
  if (link.state === "no-channel") throw BankingNotConfigured.because();
  return link;
}
