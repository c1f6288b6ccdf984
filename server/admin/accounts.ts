import type { Administrator } from "#server/actor";
import { readSecondFactorStatus } from "#server/auth/second-factor/second-factor-acts";
import { deleteSessionsOf } from "#server/auth/sessions";
import type { Context } from "#server/context";
import { GeneralError, UnknownUser } from "#server/failures";
import { leaveTeams } from "#server/oauth/clients/team/transfer";
import { grantPaused, grantResumed, recordGrantEvents } from "#server/oauth/grants/events";
import {
  findListedAccount,
  isNameSearch,
  listAccounts,
  lockAccountForBan,
  setAccountBan,
} from "./accounts-store";
import { resumeApplicationsOf, suspendApplicationsOf } from "./applications-store";
import { type AccountSearch, readNumberedPage } from "./contract";

export async function searchAccounts(ctx: Context, { page, ...query }: AccountSearch) {
  const found = await readNumberedPage(page, (window) =>
    listAccounts(ctx.database.query, { ...query, ...window }, ctx.now()),
  );
  return { ...found, byName: isNameSearch(query.search) };
}

/** `admin` is true for an account that cannot be banned. @throws UnknownUser */
export async function showAccount(ctx: Context, accountId: string) {
  const account = await findListedAccount(ctx.database.query, accountId, ctx.now());
  if (!account) throw UnknownUser.because({ message: "There is no such account." });
  const guards = await readSecondFactorStatus(ctx.database.query, accountId);
  return { ...account, ...guards, admin: ctx.settings.adminUserIds.includes(account.playerId) };
}

/** Marks suspensions that a ban caused, to distinguish them from others. */
const bannedDeveloper = "Its developer is banned.";

/**
 * Ends sessions, stops tokens, suspends the account's applications, and leaves its teams. The next
 * sign-in is refused with the reason.
 * @throws UnknownUser · GeneralError for an admin or a banned account
 */
export async function banAccount(
  ctx: Context,
  by: Administrator,
  { accountId, reason }: { accountId: string; reason: string },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const account = await lockAccountForBan(tx, accountId);
    if (!account) throw UnknownUser.because({ message: "There is no such account." });
    if (by.kind === "portal" && accountId === by.accountId)
      throw GeneralError.because({ message: "You cannot ban yourself." });
    if (ctx.settings.adminUserIds.includes(account.playerId))
      throw GeneralError.because({
        message: "An admin cannot be banned. Take the player out of ADMIN_USER_IDS first.",
      });
    if (account.bannedAt) throw GeneralError.because({ message: "The account is banned already." });

    const now = ctx.now();
    await setAccountBan(tx, accountId, { bannedAt: now, bannedFor: reason });
    const sessions = await deleteSessionsOf(tx, accountId);
    const mark = { suspendedAt: now, suspendedFor: bannedDeveloper };
    const suspended = await suspendApplicationsOf(tx, accountId, mark);
    // The history of an application names no admin.
    await leaveTeams(ctx, tx, { kind: "operator", from: by.from }, accountId);
    const details = { reason, player: account.playerId, sessions, applications: suspended.length };
    await ctx.audit(tx, by, "account.banned", { accountId, details });
    const stopped = suspended.map(({ clientId, name }) => ({
      accountId,
      clientId,
      details: { name, reason: bannedDeveloper },
    }));
    await ctx.audit(tx, by, "application.suspended", stopped);
    for (const { clientId } of suspended) await ctx.tokens.announceRevocation(tx, { clientId });
    await ctx.tokens.announceRevocation(tx, { accountId });
    // Grants that the player paused get no second event.
    await recordGrantEvents(
      ctx,
      tx,
      { accountId, unpaused: true },
      { type: grantPaused, reason: "operator" },
    );
  });
}

/**
 * Restores sign-in, consents, and the applications that the ban suspended; other suspensions stay.
 * @throws UnknownUser · GeneralError if the account is not banned
 */
export async function unbanAccount(
  ctx: Context,
  by: Administrator,
  { accountId }: { accountId: string },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const account = await lockAccountForBan(tx, accountId);
    if (!account) throw UnknownUser.because({ message: "There is no such account." });
    const { bannedAt } = account;
    if (!bannedAt) throw GeneralError.because({ message: "The account is not banned." });
    await setAccountBan(tx, accountId, { bannedAt: null, bannedFor: null });
    const mark = { suspendedAt: bannedAt, suspendedFor: bannedDeveloper };
    const resumed = await resumeApplicationsOf(tx, accountId, mark);
    const details = { player: account.playerId, applications: resumed.length };
    await ctx.audit(tx, by, "account.unbanned", { accountId, details });
    const started = resumed.map(({ clientId, name }) => ({
      accountId,
      clientId,
      details: { name },
    }));
    await ctx.audit(tx, by, "application.resumed", started);
    for (const { clientId } of resumed) await ctx.tokens.announceRevocation(tx, { clientId });
    const names = resumed.map(({ name }) => `"${name}"`).join(", ");
    await ctx.notify(tx, {
      accountId,
      kind: "account-unbanned",
      text: `The ban of your account is lifted: everything works again as before.${names ? ` So do your applications: ${names}.` : ""}`,
    });
    await ctx.tokens.announceRevocation(tx, { accountId });
    await recordGrantEvents(ctx, tx, { accountId, unpaused: true }, { type: grantResumed });
  });
}
