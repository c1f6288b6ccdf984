import type { TokenHolder } from "#server/actor";
import type { Context } from "#server/context";
import { InsufficientResourcePermissions, UnknownFaction } from "#server/failures";
import { readOwnFaction } from "#server/users/membership/membership";
import type { PlayerRecord } from "#server/users/player";

interface Caller {
  readonly ctx: Context;
  readonly actor: TokenHolder;
  readonly player: PlayerRecord | undefined;
}

/**
 * The faction of who asks, which must be the one asked for, where one is.
 * @throws UnknownFaction for somebody without a faction, InsufficientResourcePermissions for another faction's data
 */
export async function requireOwnFaction(caller: Caller, asked?: number): Promise<number> {
  const own = await readOwnFaction(caller.ctx, caller);
  if (own === null) throw UnknownFaction.because({ message: "The user is in no faction." });
  if (asked !== undefined && asked !== own) throw InsufficientResourcePermissions.because();
  return own;
}
