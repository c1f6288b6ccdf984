import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { UnknownVaultRequest } from "#server/failures";
import { vaultPage } from "#server/game/vault-page";
import { isBanker, mayFulfil } from "../positions/membership";
import { readMembership } from "../positions/read-membership";
import { type RequestView, viewRequests } from "./request-view";
import { findRequest } from "./store";
import { readRequestName } from "./vault-request";

export interface Fulfilment {
  readonly request: RequestView;
  /** Whether the user's position lets them pay out this kind. */
  readonly mayFulfil: boolean;
  /** The game's page where it is paid, filled in. */
  readonly vaultPage: string;
}

/**
 * Shows a request to a banker of its faction, and changes nothing. To everybody else, also with the link, it does not exist.
 * @throws UnknownVaultRequest
 */
export async function showForFulfilment(
  ctx: Context,
  { playerId }: Pick<PortalUser, "playerId">,
  guid: string,
): Promise<Fulfilment> {
  const on = ctx.database.query;
  const membership = await readMembership(on, playerId);
  const name = readRequestName(guid);
  if (membership.factionId === null || !isBanker(membership) || !name || !("guid" in name))
    throw UnknownVaultRequest.because();
  const found = await findRequest(on, membership.factionId, name);
  const [request] = found ? await viewRequests(on, [found], ctx.now()) : [];
  if (!found || !request) throw UnknownVaultRequest.because();
  const { currency } = found;
  return {
    request,
    mayFulfil: mayFulfil(membership, currency),
    vaultPage: vaultPage(currency === "money_balance" ? "money" : "points", found),
  };
}
