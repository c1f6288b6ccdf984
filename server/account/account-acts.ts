import type { PortalUser } from "#server/actor";
import { listOwnEvents } from "#server/audit/read-events";
import type { Context } from "#server/context";
import { cancelRequestsOf } from "#server/faction/banking/request-acts";
import { GeneralError, UnknownUser } from "#server/failures";
import { withdrawChatNotices } from "#server/notices/notices";
import { handOverApplications, leaveTeams } from "#server/oauth/clients/team/transfer";
import { dayMs } from "#server/platform/time";
import { requirePlayerName } from "#server/users/find-players";
import { removeAccountEndpoint } from "#server/webhooks/endpoint-acts";
import { endGrantsOfAccount } from "../oauth/consents/consent-acts";
import {
  deleteAccountRow,
  disownApplications,
  lockAccountAndTokens,
  readDeletionFigures,
} from "./deletion-store";
import { readAccountData } from "./export-store";

export type DeletionFigures = Awaited<ReturnType<typeof showDeletion>>;

export const showDeletion = (ctx: Context, user: PortalUser) =>
  readDeletionFigures(ctx.database.query, user.accountId, ctx.now());

/**
 * Takes effect at once on every instance, and ends applications without another member. A later
 * sign-in opens a new, empty account. The caller checks the confirmation.
 * @throws GeneralError if `confirmName` is not the player's name
 */
export async function deleteAccount(
  ctx: Context,
  by: PortalUser,
  { confirmName }: { confirmName: string },
): Promise<void> {
  const { accountId } = by;
  if ((await requirePlayerName(ctx, by.playerId)) !== confirmName.trim())
    throw GeneralError.because({ message: "Type your player's name exactly as shown above." });
  await ctx.database.transaction(async (tx) => {
    await removeAccountEndpoint(tx, accountId);
    const held = await lockAccountAndTokens(tx, accountId);
    if (!held) return;
    const figures = await readDeletionFigures(tx, accountId, ctx.now());
    const { ended: applications, handedOver } = await handOverApplications(ctx, tx, by);
    await leaveTeams(ctx, tx, by, accountId);
    const requests = await cancelRequestsOf(ctx, tx, by);
    await disownApplications(tx, accountId, ctx.now());
    // The account's lock keeps concurrent approvals out.
    await endGrantsOfAccount(ctx, tx, accountId);
    await withdrawChatNotices(tx, accountId);
    await deleteAccountRow(tx, { accountId, playerId: held.playerId });
    const { connected } = figures;
    const details = { connected, applications, handedOver, requests };
    await ctx.audit(tx, by, "account.deleted", { details });
    await ctx.tokens.announceRevocation(tx, { accountId });
  });
}

const mostLines = 10_000;
const monthMilliseconds = 30 * dayMs;

const about =
  "Everything that Adjutant stores about this account. Times are ISO 8601 in UTC. Keys, tokens and secrets are left out: they are stored sealed or hashed, and would open what they protect.";

/**
 * The export contains no key, token or secret, and no hash of one.
 * @returns JSON text
 */
export async function exportAccount(ctx: Context, by: PortalUser): Promise<{ json: string }> {
  const on = ctx.database.query;
  const since = new Date(ctx.now().getTime() - monthMilliseconds);
  const data = await readAccountData(on, by.accountId, { lines: mostLines, since });
  if (!data) throw UnknownUser.because();
  const events = await listOwnEvents(ctx, by, mostLines);
  await ctx.audit(on, by, "account.exported");
  const document = {
    about,
    exportedAt: ctx.now(),
    mostLinesOfEachHistory: mostLines,
    ...data,
    events: events.map(({ id: _, ...event }) => event),
  };
  // A chat id has more digits than a JSON number, so it is text.
  const json = JSON.stringify(
    document,
    (_, value: unknown) => (typeof value === "bigint" ? String(value) : value),
    2,
  );
  return { json };
}
