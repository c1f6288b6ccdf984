import type { Context } from "#server/context";
import { InsufficientFactionPermissions } from "#server/failures";
import { isBanker, membershipIn } from "../positions/membership";
import { listMatching, type RequestFilter } from "./store";
import { asOf } from "./vault-request";

/**
 * The player's own requests, or for bankers the faction's, newest first. The cursor includes the
 * id, because requests may share a moment.
 * @throws UnknownFaction, InsufficientResourcePermissions, InsufficientFactionPermissions
 */
export async function listRequests(
  ctx: Context,
  { playerId }: { readonly playerId: number },
  { scope, ...filter }: RequestFilter & { readonly scope: "user" | "faction" },
) {
  const member = await membershipIn(ctx.database, playerId, filter.factionId);
  if (scope === "faction" && !isBanker(member)) throw InsufficientFactionPermissions.because();
  const now = ctx.now();
  const { limit } = filter;
  const found = await listMatching(ctx.database.query, {
    ...filter,
    ...{ playerId: scope === "user" ? playerId : undefined, now, limit: limit + 1 },
  });
  const requests = found.slice(0, limit).map((request) => asOf(request, now));
  const last = requests.at(-1);
  return {
    requests,
    next: last && found.length > limit ? { at: last.requestedAt, id: last.id } : null,
  };
}
