import type { Queryable } from "#db/client";
import type { Origin } from "../../audit/audit";
import type { Context } from "../../context";
import { endLiveGrants } from "./live-grants/store";
import { deleteOwnApplication, nameOwnApplications } from "./store";

/**
 * Ends an application by its owner's wish, in the caller's transaction: everything below it is dead, its players are told.
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
      act: "grant-revoked-by-developer",
      actor: `account:${ownerId}`,
      origin,
      notice: {
        kind: "application-deleted",
        text: `The developer of “${name}” deleted it. The access that you allowed it has ended; you need not do anything.`,
      },
    },
  );
  await ctx.announceRevocation(tx, { clientId });
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
