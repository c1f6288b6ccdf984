import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { InsufficientFactionPermissions, TooManyRequests, UnknownFaction } from "#server/failures";
import {
  countFactionScores,
  type ImportFault,
  parseImport,
  saveImport,
} from "#server/stats/entries/stat-import";
import { mayDecideForFaction, readMembership } from "../positions/membership";
import {
  chooseStatSharing,
  findAsked,
  findStatSharing,
  lockUnchosen,
  type StatSharing,
  setStatSharing,
} from "./store";

/**
 * The user's faction; needs leadership or faction API access.
 * @throws UnknownFaction, InsufficientFactionPermissions
 */
export async function requireScoresRight(on: Queryable, { playerId }: PortalUser): Promise<number> {
  const membership = await readMembership(on, playerId);
  const { factionId } = membership;
  if (factionId === null) throw UnknownFaction.because({ message: "You are not in a faction." });
  if (!mayDecideForFaction(membership))
    throw InsufficientFactionPermissions.because({
      message:
        "Only leaders, and members with faction API access, import scores and say who sees them.",
    });
  return factionId;
}

export interface FactionScores {
  readonly factionName: string;
  readonly sharing: StatSharing;
  readonly chosen: Date | null;
  readonly own: { readonly players: number; readonly newest: Date | null };
  readonly mayChange: boolean;
}

export async function showFactionScores(
  ctx: Context,
  { playerId }: PortalUser,
): Promise<FactionScores | null> {
  const on = ctx.database.query;
  const membership = await readMembership(ctx.database, playerId);
  const { factionId, factionName } = membership;
  if (factionId === null) return null;
  return {
    factionName: factionName ?? `Faction ${factionId}`,
    ...(await findStatSharing(on, factionId)),
    own: await countFactionScores(on, factionId),
    mayChange: mayDecideForFaction(membership),
  };
}

/**
 * Sets the visibility of future scores from faction fights; existing ones keep theirs. Idempotent.
 * @throws UnknownFaction, InsufficientFactionPermissions
 */
export async function changeStatSharing(
  ctx: Context,
  by: PortalUser,
  { sharing }: { readonly sharing: StatSharing },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const faction = await requireScoresRight(tx, by);
    const { sharing: former, chosen } = await findStatSharing(tx, faction);
    if (!(await setStatSharing(tx, faction, { sharing, at: ctx.now() }))) return;
    await ctx.audit(tx, by, "score_sharing.changed", {
      details: { faction },
      before: { sharing: chosen && former },
      after: { sharing },
    });
  });
}

/** Imports per minute and account; each may have thousands of rows. */
const importsAMinute = 10;

export type Imported =
  | { readonly imported: number; readonly known: number }
  | { readonly faults: readonly ImportFault[] };

/**
 * For the faction's members only, all or nothing.
 * @returns counts of new and outdated scores, or the errors by line
 * @throws UnknownFaction, InsufficientFactionPermissions, TooManyRequests
 */
export async function importScores(
  ctx: Context,
  by: PortalUser,
  { text }: { readonly text: string },
): Promise<Imported> {
  const { accountId } = by;
  await requireScoresRight(ctx.database.query, by);
  const take = { policy: "stat-imports", subject: accountId, limit: importsAMinute };
  const { allowed, reset } = await ctx.limiter.take(take);
  if (!allowed) throw TooManyRequests.because({ retryAfter: reset });
  const parsed = parseImport(text, ctx.now());
  if ("faults" in parsed) return parsed;

  return ctx.database.transaction(async (tx) => {
    // Checked again in the transaction, because the right may have ended.
    const factionId = await requireScoresRight(tx, by);
    const imported = await saveImport(tx, { factionId, rows: parsed.rows });
    const details = { faction: factionId, rows: parsed.rows.length, imported };
    await ctx.audit(tx, by, "scores.imported", { details });
    return { imported, known: parsed.rows.length - imported };
  });
}

const unchosenNotice = "stat-sharing-unchosen";

/**
 * Sends a member with the right one notice to choose the visibility; the board asks until a choice
 * is made.
 */
export async function askForSharing(
  ctx: Context,
  factionId: number,
  playerId: number,
): Promise<void> {
  const on = ctx.database.query;
  const membership = await readMembership(ctx.database, playerId);
  if (membership.factionId !== factionId || !mayDecideForFaction(membership)) return;
  if ((await findStatSharing(on, factionId)).chosen) return;
  await ctx.database.transaction(async (tx) => {
    const name = await lockUnchosen(tx, factionId);
    const member = await findAsked(tx, playerId, unchosenNotice);
    if (name === undefined || !member || member.asked) return;
    const text = `Choose who sees the scores from the fights of ${name}. Until then only your faction does.`;
    await ctx.notify(tx, {
      accountId: member.accountId,
      kind: unchosenNotice,
      text,
      path: "/faction/stats",
    });
  });
}

/** Makes a demo faction's fight scores public if unset. @returns false for an unknown faction */
export const chooseForDemo = (ctx: Context, factionId: number): Promise<boolean> =>
  chooseStatSharing(ctx.database.query, factionId, { sharing: "everybody", at: ctx.now() });
