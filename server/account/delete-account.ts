import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { cancelRequestsOf } from "#server/faction/banking/cancel-request";
import { GeneralError } from "#server/failures";
import { endOwnApplications } from "#server/oauth/clients/end-application";
import { nameOfPlayer } from "#server/users/accounts/show-player";
import { recordEvents } from "../event-log/record-events";
import { grantEnded } from "../oauth/grants/events";
import { grantEventsOf } from "../oauth/grants/record-grant-events";
import {
  type DeletionFigures,
  deleteAccountRow,
  disownApplications,
  lockAccountAndTokens,
  readDeletionFigures,
} from "./deletion-store";

export type { DeletionFigures };

/** What deleting the user's account would cut. */
export const showDeletion = (ctx: Context, user: PortalUser): Promise<DeletionFigures> =>
  readDeletionFigures(ctx.database.query, user.accountId, ctx.now());

/**
 * Deletes the user's account with everything that belongs to it, at once and on every instance. Their applications end as if
 * they had deleted each. Signing in later opens a new, empty account. Wants a confirmation, which the caller checks.
 * @param confirmName the player's name, typed by the user
 * @throws GeneralError when the typed name is another
 */
export async function deleteAccount(
  ctx: Context,
  user: PortalUser,
  { confirmName, origin }: { readonly confirmName: string; readonly origin: Origin },
): Promise<void> {
  const { accountId } = user;
  if ((await nameOfPlayer(ctx, user.playerId)) !== confirmName.trim())
    throw GeneralError.because({ message: "Type your player's name exactly as shown above." });
  await ctx.database.transaction(async (tx) => {
    const held = await lockAccountAndTokens(tx, accountId);
    // Deleted from another tab already: what was asked for holds.
    if (!held) return;
    const figures = await readDeletionFigures(tx, accountId, ctx.now());
    const applications = await endOwnApplications(ctx, tx, { ownerId: accountId, origin });
    const requests = await cancelRequestsOf(ctx, tx, { accountId, playerId: held.playerId, origin });
    await disownApplications(tx, accountId, ctx.now());
    const events = await grantEventsOf(ctx, tx, { accountId }, { type: grantEnded, reason: "account_deleted" });
    await deleteAccountRow(tx, { accountId, playerId: held.playerId });
    const { connected } = figures;
    const details = { connected, applications, requests };
    await ctx.audit(tx, { act: "account-deleted", actor: `account:${accountId}`, accountId, origin, details });
    await ctx.announceRevocation(tx, { accountId });
    await recordEvents(ctx, tx, events);
  });
}
