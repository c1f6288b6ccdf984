import type { Queryable } from "#db/client";
import { requireChannel } from "./require-channel";
import { standingIn } from "./standing-in";

/**
 * Where a member's request is shown, and which roles it mentions, if the member may make one at this moment.
 * @throws UnknownFaction, InsufficientResourcePermissions, UnknownChatServer, FactionNotLinked, BankingNotConfigured
 */
export async function channelOf(
  on: Queryable,
  { playerId, factionId }: { readonly playerId: number; readonly factionId: number },
) {
  await standingIn(on, playerId, factionId);
  return requireChannel(on, factionId);
}
