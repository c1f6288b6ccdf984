import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { charge } from "#server/platform/limiter/limiter";
import {
  countScoresOfFaction,
  type ImportFault,
  parseImport,
  saveImport,
} from "#server/stats/entries/stat-import";
import {
  findMember,
  mayDecideForFaction,
  readMembership,
  requireMayDecide,
} from "./positions/membership";
import {
  findNoticeRecipient,
  findStatSharing,
  lockUnchosenSharing,
  type StatSharing,
  setStatSharing,
} from "./store";

const requireScoresRight = (on: Queryable, { playerId }: PortalUser) =>
  requireMayDecide(on, playerId, "import scores and say who sees them");

export async function showScoreSharing(ctx: Context, { playerId }: PortalUser) {
  const on = ctx.database.query;
  const member = await readMembership(ctx.database, playerId);
  if (!member) return null;
  const { factionId, factionName } = member;
  return {
    factionName,
    ...(await findStatSharing(on, factionId)),
    own: await countScoresOfFaction(on, factionId),
    mayChange: mayDecideForFaction(member),
  };
}

/**
 * Idempotent. Existing scores keep their visibility.
 * @throws UnknownFaction, InsufficientFactionPermissions
 */
export async function changeStatSharing(
  ctx: Context,
  by: PortalUser,
  { sharing }: { readonly sharing: StatSharing },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const { factionId: faction } = await requireScoresRight(tx, by);
    const { sharing: former, chosen } = await findStatSharing(tx, faction);
    if (!(await setStatSharing(tx, faction, { sharing, at: ctx.now() }))) return;
    await ctx.audit(tx, by, "score_sharing.changed", {
      details: { faction },
      before: { sharing: chosen && former },
      after: { sharing },
    });
  });
}

/** Per account, because each import may have thousands of rows. */
const importsAMinute = 10;

type Imported =
  | { readonly imported: number; readonly known: number }
  | { readonly faults: readonly ImportFault[] };

/**
 * Imports all rows or none. Only the faction's members see the scores.
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
  await charge(ctx, { policy: "stat-imports", subject: accountId, limit: importsAMinute });
  const parsed = parseImport(text, ctx.now());
  if ("faults" in parsed) return parsed;

  return ctx.database.transaction(async (tx) => {
    // Checked again in the transaction, because the right may have ended meanwhile.
    const { factionId } = await requireScoresRight(tx, by);
    const imported = await saveImport(tx, { factionId, rows: parsed.rows });
    const details = { faction: factionId, rows: parsed.rows.length, imported };
    await ctx.audit(tx, by, "scores.imported", { details });
    return { imported, known: parsed.rows.length - imported };
  });
}

const unchosenNotice = "stat-sharing-unchosen";

/** Sends one notice to each member that may choose; the board asks until a choice is made. */
export async function askForSharingChoice(
  ctx: Context,
  factionId: number,
  playerId: number,
): Promise<void> {
  const member = await findMember(ctx.database, playerId, factionId);
  if (!member || !mayDecideForFaction(member)) return;
  await ctx.database.transaction(async (tx) => {
    const name = await lockUnchosenSharing(tx, factionId);
    const account = await findNoticeRecipient(tx, playerId, unchosenNotice);
    if (name === undefined || !account || account.asked) return;
    const text = `Choose who sees the scores from the fights of ${name}. Until then only your faction does.`;
    await ctx.notify(tx, {
      accountId: account.accountId,
      kind: unchosenNotice,
      text,
      path: "/faction/stats",
    });
  });
}

/** Keeps an earlier choice. @returns false for an unknown faction */
export async function chooseSharingForDemo(ctx: Context, factionId: number): Promise<boolean> {
  const on = ctx.database.query;
  const { chosen } = await findStatSharing(on, factionId);
  const choice = { sharing: "everybody", at: ctx.now() } as const;
  return chosen !== null || setStatSharing(on, factionId, choice);
}
