import type { Administrator, PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { GeneralError, UnknownElement } from "#server/failures";
import { isUuid } from "#server/platform/ids";
import { type CappedCount, noCount, pageOf, readCursor } from "#server/platform/paging";
import { lockApplication, requireApplication } from "../own-applications";
import {
  countGrantsByClient,
  countUsersByClient,
  endLiveGrants,
  type GrantOwner,
  listLiveGrants,
} from "./store";

/** The caller checks access. */
export const countPlayersByClient = (
  ctx: Context,
  asked: Parameters<typeof countUsersByClient>[1],
) => countUsersByClient(ctx.database.query, asked, ctx.now());

/** Counts grants with a usable token or code. The caller checks access. */
export const countDevices = async (ctx: Context, clientId: string): Promise<CappedCount> =>
  (await countGrantsByClient(ctx.database.query, [clientId], ctx.now())).get(clientId)?.grants ??
  noCount;

const pageSize = 50;

/** @throws UnknownOAuthClient */
export async function showLiveGrants(
  ctx: Context,
  user: PortalUser,
  asked: { readonly clientId: string; readonly after: string | null },
) {
  const on = ctx.database.query;
  const { clientId } = await requireApplication(on, user, asked.clientId, "tokens");
  const now = ctx.now();
  const rows = await listLiveGrants(
    on,
    { clientId, after: readCursor(asked.after, "uuid"), limit: pageSize + 1 },
    now,
  );
  const counts = await countGrantsByClient(on, [clientId], now);
  const none = { players: noCount, grants: noCount, tokens: noCount };
  return { ...pageOf(rows, pageSize), all: counts.get(clientId) ?? none };
}

export type GrantSelection =
  | { readonly clientId: string; readonly grantId: string }
  | { readonly clientId: string; readonly confirmName: string };

/**
 * Notifies each player once. Consents stay, so a returning player is not asked again. The caller
 * checks the confirmation.
 * @throws UnknownOAuthClient · UnknownElement without such a live grant · GeneralError for a wrong
 * `confirmName`
 */
export async function revokeGrants(
  ctx: Context,
  by: PortalUser,
  which: GrantSelection,
): Promise<{ players: number; grants: number }> {
  return ctx.database.transaction(async (tx) => {
    const { clientId, name } = await lockApplication(tx, by, which.clientId, "tokens");
    const grantId = "grantId" in which ? which.grantId : undefined;
    if ("confirmName" in which && which.confirmName.trim() !== name)
      throw GeneralError.because({
        message: "Type the application's name exactly as shown above.",
      });
    if (grantId !== undefined && !isUuid(grantId)) throw hasEnded();
    const where = grantId === undefined ? "on your devices" : "on one of your devices";
    const cut = await endLiveGrants(ctx, tx, by, {
      of: { clientId, grantId },
      reason: "developer",
      notice: {
        kind: "grant-revoked-by-developer",
        text: `The developer of “${name}” ended the access that it had ${where}. You don't need to do anything; to use it again, sign in there.`,
      },
    });
    if (grantId !== undefined && cut.grants === 0) throw hasEnded();
    if (cut.grants > 0)
      await ctx.tokens.announceRevocation(tx, grantId === undefined ? { clientId } : { grantId });
    return cut;
  });
}

/**
 * Consents stay, so only a ban or a suspension keeps access from returning. The caller checks the
 * rights.
 */
export async function revokeAllGrants(
  ctx: Context,
  by: Administrator,
  {
    of,
    name,
    reason,
  }: { readonly of: GrantOwner; readonly name?: string; readonly reason: string },
): Promise<{ players: number; grants: number }> {
  const whose = "clientId" in of ? `“${name ?? of.clientId}”` : "all your applications";
  const text = `An admin ended the access of ${whose} on your devices. To use it again, sign in there. The reason given: ${reason}`;
  return ctx.database.transaction(async (tx) => {
    const cut = await endLiveGrants(ctx, tx, by, {
      of,
      reason: "admin",
      why: reason,
      notice: { kind: "grant-revoked-by-admin", text },
    });
    if (cut.grants > 0) await ctx.tokens.announceRevocation(tx, of);
    return cut;
  });
}

const hasEnded = () => UnknownElement.because({ message: "This access has already ended." });
