import type { PortalUser } from "../../actor";
import type { Origin } from "../../audit/audit";
import type { Context } from "../../context";
import { GeneralError, UnknownElement } from "../../failures";
import { isUuid } from "../uuid";
import { endLiveGrants } from "./live-grants/store";
import { requireOwnApplication } from "./require-own-application";

/** Which grants of an application a developer ends: one, or all, for which its name must be typed. */
export type RevokedGrants =
  | { readonly clientId: string; readonly grantId: string }
  | { readonly clientId: string; readonly confirmName: string };

const ended = "grant-revoked-by-developer";

/**
 * Ends live grants of the user's application: their tokens and codes are dead from this moment. Each player is told once.
 * Consents stay, so that a player who comes back need not be asked again. Wants a confirmation, which the caller checks.
 * @returns how many players and grants that were
 * @throws UnknownOAuthClient · UnknownElement when there is no such live grant · GeneralError when the typed name is another
 */
export async function revokeGrants(
  ctx: Context,
  user: PortalUser,
  which: RevokedGrants,
  origin: Origin,
): Promise<{ players: number; grants: number }> {
  return ctx.database.transaction(async (tx) => {
    const { clientId, name } = await requireOwnApplication(tx, user, which.clientId);
    const grantId = "grantId" in which ? which.grantId : undefined;
    if ("confirmName" in which && which.confirmName.trim() !== name)
      throw GeneralError.because({ message: "Type the application's name exactly as it stands above." });
    if (grantId !== undefined && !isUuid(grantId)) throw hasEnded();
    const where = grantId === undefined ? "on your devices" : "on one of your devices";
    const cut = await endLiveGrants(
      tx,
      { clientId, grantId, now: ctx.now() },
      {
        act: ended,
        actor: `account:${user.accountId}`,
        origin,
        notice: {
          kind: ended,
          text: `The developer of “${name}” ended the access that it had ${where}. You need not do anything; to use it again, sign in there anew.`,
        },
      },
    );
    if (grantId !== undefined && cut.grants === 0) throw hasEnded();
    if (cut.grants > 0) await ctx.announceRevocation(tx, grantId === undefined ? { clientId } : { grantId });
    return cut;
  });
}

const hasEnded = () => UnknownElement.because({ message: "This access has ended already." });
