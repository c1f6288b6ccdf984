import { afterCommit, type Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { GeneralError, UnknownOAuthClient } from "#server/failures";
import { endLiveGrants } from "./live-grants/store";
import { requireOwnApplication } from "./own-applications";
import { deleteOwnApplication, nameOwnApplications } from "./store";

/**
 * Ends an application for its owner, in the caller's transaction: everything below it is dead, its players are told.
 * @returns whether there was one to end
 */
export async function endApplication(
  ctx: Context,
  tx: Queryable,
  ended: { readonly clientId: string; readonly name: string; readonly ownerId: string; readonly origin: Origin },
): Promise<boolean> {
  const { clientId, name, ownerId, origin } = ended;
  const now = ctx.now();
  if (!(await deleteOwnApplication(tx, { clientId, ownerId }, now))) return false;
  await ctx.audit(tx, {
    act: "application-deleted",
    actor: `account:${ownerId}`,
    accountId: ownerId,
    clientId,
    origin,
    details: { name },
  });
  await endLiveGrants(
    tx,
    { clientId, now },
    {
      reason: "developer",
      act: "grant-revoked-by-developer",
      actor: `account:${ownerId}`,
      origin,
      notice: {
        kind: "application-deleted",
        text: `The developer of “${name}” deleted it. Its access has ended; you don't need to do anything.`,
      },
    },
  );
  await ctx.announceRevocation(tx, { clientId });
  afterCommit(tx, ctx.sequencer.wake);
  return true;
}

/** Far above what a developer may have; releases before had no limit. */
const mostEnded = 100_000;

/** Ends all applications of an owner, in the caller's transaction. @returns how many there were */
export async function endOwnApplications(
  ctx: Context,
  tx: Queryable,
  { ownerId, origin }: { readonly ownerId: string; readonly origin: Origin },
): Promise<number> {
  const own = await nameOwnApplications(tx, { ownerId, limit: mostEnded });
  for (const { clientId, name } of own) await endApplication(ctx, tx, { clientId, name, ownerId, origin });
  return own.length;
}

/**
 * Deletes an application of the user. Its row stays, for the names in what it left behind; its tokens, codes and consents
 * open nothing from this moment, and its players are told. Wants a confirmation, which the caller checks.
 * @param confirmName the application's name, typed by the developer
 * @throws UnknownOAuthClient · GeneralError when the typed name is another
 */
export async function deleteApplication(
  ctx: Context,
  user: PortalUser,
  { clientId, confirmName }: { readonly clientId: string; readonly confirmName: string },
  origin: Origin,
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const { name } = await requireOwnApplication(tx, user, clientId);
    if (name !== confirmName.trim())
      throw GeneralError.because({ message: "Type the application's name exactly as shown above." });
    const ended = await endApplication(ctx, tx, { clientId, name, ownerId: user.accountId, origin });
    if (!ended) throw UnknownOAuthClient.because();
  });
}
