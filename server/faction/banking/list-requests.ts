import type { Context } from "#server/context";
import { InsufficientFactionPermissions } from "#server/failures";
import { isBanker, membershipIn } from "../positions/membership";
import { listMatching, type PlaceInList } from "./store";
import { asOf, type VaultRequest } from "./vault-request";

export interface RequestQuery {
  readonly factionId: number;
  /** "faction" is for bankers. */
  readonly scope: "user" | "faction";
  readonly pendingOnly: boolean;
  /** 1 … 100. */
  readonly limit: number;
  /** The latest moment of asking, inclusive to the second. */
  readonly before?: Date | undefined;
  /** Only those that stand below this request of the faction in the list. */
  readonly below?: number | undefined;
  /** Only those that stand below this place in the list. */
  readonly after?: PlaceInList | undefined;
}

export interface RequestPage {
  readonly requests: readonly VaultRequest[];
  /** What the next page is asked with as `after`; null on the last. */
  readonly next: PlaceInList | null;
}

/**
 * Requests of the player's own faction, newest first: the player's own, or for bankers everybody's. Where a page ends is named
 * by a request, not by a time, so that many requests of one moment are neither lost nor shown twice.
 * @throws UnknownFaction, InsufficientResourcePermissions, InsufficientFactionPermissions
 */
export async function listRequests(
  ctx: Context,
  { playerId }: { readonly playerId: number },
  query: RequestQuery,
): Promise<RequestPage> {
  const { scope, limit, ...filter } = query;
  const membership = await membershipIn(ctx.database, playerId, query.factionId);
  if (scope === "faction" && !isBanker(membership)) throw InsufficientFactionPermissions.because();
  const now = ctx.now();
  const of = scope === "user" ? playerId : undefined;
  const found = await listMatching(ctx.database.query, {
    ...filter,
    playerId: of,
    now,
    limit: limit + 1,
  });
  const requests = found.slice(0, limit).map((request) => asOf(request, now));
  const last = requests.at(-1);
  return {
    requests,
    next: last && found.length > limit ? { at: last.requestedAt, id: last.id } : null,
  };
}
