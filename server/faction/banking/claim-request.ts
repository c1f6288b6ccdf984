import type { Queryable } from "#db/client";
import { deliverSoon } from "#server/chat/deliver-message";
import type { Context } from "#server/context";
import { VaultRequestNotPending } from "#server/failures";
import { minuteMs } from "#server/platform/time";
import { readChatLink } from "../chat-link/read-chat-link";
import { findPayable } from "./close-request";
import { attributedTo, notifyChanges } from "./notify-changes";
import type { BankingPlayer } from "./show-banking";
import { claimVaultRequest, findVaultRequest, releaseVaultRequest } from "./store";
import { asOf, type VaultRequest } from "./vault-request";

/** A payment in the game takes less than one minute. */
const claimMs = 5 * minuteMs;

/**
 * Shows the other bankers that this one is paying a request, so that it is not paid twice. A claim
 * ends by itself, and closing a request never needs one.
 * @returns `claimed` false, and the request with the other banker's claim, if that came first
 * @throws UnknownFaction, UnknownVaultRequest, InsufficientFactionPermissions,
 * VaultRequestNotPending
 */
export async function claimRequest(
  ctx: Context,
  player: BankingPlayer,
  which: { readonly request: string },
): Promise<{ readonly request: VaultRequest; readonly claimed: boolean }> {
  const result = await ctx.database.transaction(async (tx) => {
    const found = await findPayable(tx, player, which.request);
    const at = ctx.now();
    const until = new Date(at.getTime() + claimMs);
    const request = await claimVaultRequest(tx, found.id, { by: player.playerId, at, until });
    if (request) {
      await notifyClaim(ctx, tx, player, request);
      return { request, claimed: true };
    }
    const held = asOf((await findVaultRequest(tx, found.factionId, { id: found.id })) ?? found, at);
    if (held.status !== "pending") throw VaultRequestNotPending.because();
    return { request: held, claimed: false };
  });
  deliverSoon(ctx);
  return result;
}

/**
 * Ends the player's own claim; without one nothing changes.
 * @throws UnknownFaction, UnknownVaultRequest, InsufficientFactionPermissions
 */
export async function releaseClaim(
  ctx: Context,
  player: BankingPlayer,
  which: { readonly request: string },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const found = await findPayable(tx, player, which.request);
    const by = { by: player.playerId, at: ctx.now() };
    const request = await releaseVaultRequest(tx, found.id, by);
    if (request) await notifyClaim(ctx, tx, player, request);
  });
  deliverSoon(ctx);
}

async function notifyClaim(
  ctx: Context,
  tx: Queryable,
  player: BankingPlayer,
  request: VaultRequest,
): Promise<void> {
  const link = await readChatLink(tx, request.factionId);
  const act = request.claimedBy === null ? "vault-request-released" : "vault-request-claimed";
  const doing = attributedTo(player, act);
  // The card may not have been posted yet, and then still has to mention the bankers.
  const mentions = link.state === "ready" ? link.roleIds : [];
  await notifyChanges(ctx, tx, [{ request, doing, mentions, told: false }]);
}
