import type { Queryable } from "#db/client";
import type { ActingPlayer } from "#server/actor";
import { deliverSoon } from "#server/chat/deliver-message";
import type { Context } from "#server/context";
import { VaultRequestNotPending } from "#server/failures";
import { minuteMs } from "#server/platform/time";
import { readChatLink } from "../chat-link/read-chat-link";
import { findPayable } from "./close-request";
import { notifyChanges } from "./notify-changes";
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
  by: ActingPlayer,
  which: { readonly request: string },
): Promise<{ readonly request: VaultRequest; readonly claimed: boolean }> {
  const result = await ctx.database.transaction(async (tx) => {
    const found = await findPayable(tx, by, which.request);
    const at = ctx.now();
    const until = new Date(at.getTime() + claimMs);
    const request = await claimVaultRequest(tx, found.id, { by: by.playerId, at, until });
    if (request) {
      await notifyClaim(ctx, tx, by, request);
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
  by: ActingPlayer,
  which: { readonly request: string },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const found = await findPayable(tx, by, which.request);
    const released = { by: by.playerId, at: ctx.now() };
    const request = await releaseVaultRequest(tx, found.id, released);
    if (request) await notifyClaim(ctx, tx, by, request);
  });
  deliverSoon(ctx);
}

async function notifyClaim(
  ctx: Context,
  tx: Queryable,
  by: ActingPlayer,
  request: VaultRequest,
): Promise<void> {
  const link = await readChatLink(tx, request.factionId);
  const act = request.claimedBy === null ? "vault_request.released" : "vault_request.claimed";
  // The card may not have been posted yet, and then still has to mention the bankers.
  const mentions = link.state === "ready" ? link.roleIds : [];
  await notifyChanges(ctx, tx, { by, act, changes: [{ request, mentions, told: false }] });
}
