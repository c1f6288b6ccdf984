import type { Queryable } from "#db/client";
import { BankingNotConfigured, FactionNotLinked, UnknownChatServer } from "#server/failures";
import { type ChatLink, readChatLink } from "../chat-link/read-chat-link";
import { membershipIn } from "../positions/read-membership";

/**
 * Where a member's request is shown, and which roles it mentions, if the member may make one at this moment.
 * @throws UnknownFaction, InsufficientResourcePermissions, UnknownChatServer, FactionNotLinked, BankingNotConfigured
 */
export async function channelOf(
  on: Queryable,
  { playerId, factionId }: { readonly playerId: number; readonly factionId: number },
) {
  await membershipIn(on, playerId, factionId);
  return requireChannel(on, factionId);
}

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
