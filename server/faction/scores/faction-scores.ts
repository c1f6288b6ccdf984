import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
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
 * The faction whose scores the user may bring in and share: their own, where they lead it or their position grants faction API access.
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

/** The scores of other players that a faction keeps, as a member sees them. */
export interface FactionScores {
  readonly factionName: string;
  readonly sharing: StatSharing;
  /** When that was chosen; null where nobody did yet. */
  readonly chosen: Date | null;
  /** Scores that the faction alone sees. */
  readonly own: { readonly players: number; readonly newest: Date | null };
  /** Whether the member may import, and say who sees scores. */
  readonly mayChange: boolean;
}

/** Shows the scores that the user's faction keeps; null for a player without a faction. */
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
 * Says who may see scores that the fights of the user's faction tell from now on. Those from before stay as they were. The same
 * once more changes nothing.
 * @throws UnknownFaction, InsufficientFactionPermissions
 */
export async function changeStatSharing(
  ctx: Context,
  user: PortalUser,
  { sharing, origin }: { readonly sharing: StatSharing; readonly origin: Origin },
): Promise<void> {
  const { accountId } = user;
  await ctx.database.transaction(async (tx) => {
    const faction = await requireScoresRight(tx, user);
    if (!(await setStatSharing(tx, faction, { sharing, at: ctx.now() }))) return;
    const details = { faction, sharing };
    await ctx.audit(tx, {
      act: "stat-sharing-changed",
      actor: `account:${accountId}`,
      accountId,
      origin,
      details,
    });
  });
}

/** Imports a minute of one account; each may be thousands of rows. */
const importsAMinute = 10;

export type Imported =
  | { readonly imported: number; readonly known: number }
  | { readonly faults: readonly ImportFault[] };

/**
 * Takes a stat site's export into the user's faction, for its members alone; all of it, or nothing where a row is wrong.
 * @returns how many scores were new, and how many told nothing newer; or what is wrong, by line
 * @throws UnknownFaction, InsufficientFactionPermissions, TooManyRequests
 */
export async function importScores(
  ctx: Context,
  user: PortalUser,
  { text, origin }: { readonly text: string; readonly origin: Origin },
): Promise<Imported> {
  const { accountId } = user;
  await requireScoresRight(ctx.database.query, user);
  const take = { policy: "stat-imports", subject: accountId, limit: importsAMinute };
  const { allowed, reset } = await ctx.limiter.take(take);
  if (!allowed) throw TooManyRequests.because({ retryAfter: reset });
  const parsed = parseImport(text, ctx.now());
  if ("faults" in parsed) return parsed;

  return ctx.database.transaction(async (tx) => {
    // Again, in the transaction: a right that ended meanwhile writes nothing.
    const factionId = await requireScoresRight(tx, user);
    const imported = await saveImport(tx, { factionId, rows: parsed.rows });
    const details = { faction: factionId, rows: parsed.rows.length, imported };
    await ctx.audit(tx, {
      act: "stats-imported",
      actor: `account:${accountId}`,
      accountId,
      origin,
      details,
    });
    return { imported, known: parsed.rows.length - imported };
  });
}

const unchosenNotice = "stat-sharing-unchosen";

/**
 * Asks a member who may say who sees what the faction's fights tell, where nobody has said so yet. Each is asked once; the board
 * shows it until somebody chose.
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
    await ctx.notify(tx, member.accountId, { kind: unchosenNotice, text, path: "/faction/stats" });
  });
}

/** Lets everybody see the scores that a demo faction's fights tell, where nobody has chosen yet. @returns false where the faction is not known yet */
export const chooseForDemo = (ctx: Context, factionId: number): Promise<boolean> =>
  chooseStatSharing(ctx.database.query, factionId, { sharing: "everybody", at: ctx.now() });
