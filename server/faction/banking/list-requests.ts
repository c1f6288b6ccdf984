import type { Context } from "#server/context";
import { InsufficientFactionPermissions } from "#server/failures";
import { isBanker, membershipIn } from "../positions/membership";
import { listMatching, type PlaceInList } from "./store";
import { asOf, type VaultRequest } from "./vault-request";

export interface RequestQuery {
  readonly factionId: number;
  readonly scope: "user" | "faction";
  readonly pendingOnly: boolean;
  readonly limit: number;
  /** Latest request time, inclusive to the second. */
  readonly before?: Date | undefined;
  readonly below?: number | undefined;
  readonly after?: PlaceInList | undefined;
}

export interface RequestPage {
  readonly requests: readonly VaultRequest[];
  readonly next: PlaceInList | null;
}

/**
 * The player's own requests, or for bankers the faction's, newest first. The cursor includes the
 * id, because requests may share a moment.
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
