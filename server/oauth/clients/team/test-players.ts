import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { GeneralError } from "#server/failures";
import { endLostConsent } from "../../consents/consent-acts";
import { requireApplication } from "../own-applications";
import { mayApprove } from "./permitted";
import { mostTestPlayers } from "./rights";
import { deleteTester, findTester, insertTester, listTesters, lockTeam } from "./store";
import { type MemberChoice, withInvitee } from "./team-acts";

/** @throws UnknownOAuthClient · PortalRefusal ROLE_TOO_LOW */
export async function listTestPlayers(
  ctx: Context,
  user: PortalUser,
  { clientId }: { readonly clientId: string },
) {
  const on = ctx.database.query;
  await requireApplication(on, user, clientId, "settings");
  return listTesters(on, clientId);
}

/**
 * Without an acceptance: the player decides on the consent page.
 * @throws UnknownOAuthClient · PortalRefusal ROLE_TOO_LOW · TooManyRequests · GeneralError for a
 * full list, an application that is open, or a player that cannot be added
 */
export async function addTestPlayer(
  ctx: Context,
  by: PortalUser,
  input: { readonly clientId: string; readonly player: string },
): Promise<void> {
  await withInvitee(ctx, by, { ...input, right: "settings" }, async (tx, invited) => {
    const { clientId, accountId, name, application } = invited;
    if (application.openedAt)
      throw GeneralError.because({
        message: "The application is open: any player can approve it.",
      });
    if (await mayApprove(tx, { clientId, accountId }))
      throw GeneralError.because({ message: `${name} can approve it already.` });
    if ((await listTesters(tx, clientId)).length >= mostTestPlayers)
      throw GeneralError.because({
        message: `An application has at most ${mostTestPlayers} test players. Remove one first.`,
      });
    await insertTester(tx, { clientId, accountId, addedAt: ctx.now() });
    await ctx.audit(tx, by, "application_tester.added", { accountId, clientId });
    await ctx.notify(tx, {
      accountId,
      kind: "test-player-added",
      text: `You can test “${application.name}” by ${application.ownerName} before it opens to players. It still needs your approval when you connect it.`,
    });
  });
}

/**
 * Ends what the player allowed, unless the player is in the team too.
 * @throws UnknownOAuthClient · PortalRefusal ROLE_TOO_LOW · GeneralError without such a test player
 */
export async function removeTestPlayer(
  ctx: Context,
  by: PortalUser,
  { clientId, playerId }: MemberChoice,
): Promise<void> {
  await requireApplication(ctx.database.query, by, clientId, "settings");
  await ctx.database.transaction(async (tx) => {
    const tester = await findTester(tx, { clientId, playerId });
    await lockTeam(tx, clientId, tester ? [tester.accountId] : []);
    const { name } = await requireApplication(tx, by, clientId, "settings");
    const key = tester && { clientId, accountId: tester.accountId };
    if (!key || !(await deleteTester(tx, key)))
      throw GeneralError.because({ message: "This player is no longer a test player." });
    await ctx.audit(tx, by, "application_tester.removed", key);
    const ended = await endLostConsent(ctx, tx, by, { of: key, reason: "developer" });
    await ctx.notify(tx, {
      accountId: key.accountId,
      kind: "test-player-removed",
      text: `You no longer test “${name}”.${ended ? " Access that you gave it has ended." : ""}`,
    });
  });
}
