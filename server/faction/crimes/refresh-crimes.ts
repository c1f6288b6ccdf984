import type { Context } from "#server/context";
import { recordEvents } from "#server/event-log/record-events";
import type { CrimeCategory, CrimePage, CrimesWithMembers } from "#server/game/client";
import type { Crime } from "#server/game/contract/crime";
import { countUnreadable, type Rows, rowsSent } from "#server/game/contract/rows";
import { isGameCallError } from "#server/game/game-call-error";
import { dayMs } from "#server/platform/time";
import { callGame } from "#server/users/keys/call-game";
import { placeMembers } from "#server/users/membership/membership";
import { rejectWrongFaction } from "../check-faction";
import { listingOf } from "../refresh-members";
import { wasListed } from "../store";
import type { LimitedCredentials } from "../sync-schedules";
import { noteSync } from "../sync-store";
import {
  addDelays,
  listClosedCrimes,
  listOpenCrimes,
  noteHeldUp,
  noteMigrated,
  saveCrimes,
} from "./delay-store";
import { findDelays } from "./delays";
import { crimeDelayed, crimeResumed } from "./events";

/** The game's largest page of crimes. */
export const crimePageSize = 100;

/** A crime, or a slot of one, that is listed twice counts once. */
export function withoutDuplicates(crimes: readonly Crime[]): Crime[] {
  const slotsOnce = (crime: Crime) => ({
    ...crime,
    slots: [...new Map(crime.slots.map((slot) => [slot.slot, slot])).values()],
  });
  return [...new Map(crimes.map((crime) => [crime.crimeId, slotsOnce(crime)])).values()];
}

/** A crime that the game lists nowhere is not looked for longer than this. */
const searchedMilliseconds = 2 * dayMs;

/**
 * Finds how those of a faction's crimes ended that are stored as going on and do not stand among the listed ones any more: first
 * among the crimes that were carried out, the latest first, then among the expired ones.
 * @param means with `calls` of 0 they are left to a later run
 * @returns how many were found
 * @throws GameCallError
 */
export async function closeCrimes(
  ctx: Context,
  factionId: number,
  credentials: LimitedCredentials & { readonly listed: readonly Crime[]; readonly at: Date },
): Promise<number> {
  const { listed, at } = credentials;
  const since = new Date(at.getTime() - searchedMilliseconds);
  const open = await listOpenCrimes(ctx.database.query, { factionId, lastSeen: since });
  const missing = new Map(open.map(({ crimeId, lastSeen }) => [crimeId, lastSeen]));
  for (const { crimeId } of listed) missing.delete(crimeId);

  const categories: CrimeCategory[] = ["completed", "expired"];
  const found: Crime[] = [];
  let offset = 0;
  for (let call = 0; call < credentials.calls && missing.size > 0; call++) {
    const [category] = categories;
    if (!category) break;
    const asked = { category, offset };
    const page = await callGame(ctx, {
      ...credentials,
      call: (game, text) => game.factionCrimes(text, asked),
    });
    if (page.factionId !== factionId) return rejectWrongFaction(ctx, factionId, credentials);
    // Pages of crimes that ended before any of them was last seen cannot hold them.
    const earliest = new Date(Math.min(...[...missing.values()].map((seen) => seen.getTime())));
    found.push(...page.crimes.filter(({ crimeId }) => missing.delete(crimeId)));
    offset += crimePageSize;
    const last = page.crimes.at(-1);
    if (last && rowsSent(page.crimes) >= crimePageSize && endOf(last) >= earliest) continue;
    categories.shift();
    offset = 0;
  }
  if (found.length > 0)
    await ctx.database.transaction(async (tx) => {
      await saveCrimes(tx, { factionId, crimes: withoutDuplicates(found), at });
      const resumed = await noteHeldUp(tx, { factionId, listed: [], heldUp: [], at });
      await recordEvents(
        ctx,
        tx,
        resumed.map((subject) => ({ type: crimeResumed, subject, factionId })),
      );
    });
  return found.length;
}

const endOf = ({ executedAt, expiredAt, createdAt }: Crime): Date =>
  executedAt ?? expiredAt ?? createdAt;

/**
 * Reads the crimes that a faction prepares and its members as of one moment, mostly at the cost of one call, and stores both, with
 * who holds a crime up. A crime that is not among them any more is looked for among those that are over.
 * @throws GameCallError; what was stored before stays then
 * @returns how many delays are new; none for a faction with the old kind of crimes
 */
export async function refreshCrimes(
  ctx: Context,
  factionId: number,
  credentials: LimitedCredentials,
) {
  const at = ctx.now();
  await noteSync(ctx.database.query, factionId, { sync: "crimes", at });
  const answer = await askForCrimes(ctx, credentials);
  if (!answer) {
    await noteMigrated(ctx.database.query, factionId, false);
    return { delays: 0 };
  }
  const { members } = answer;
  if (answer.factionId !== factionId) return rejectWrongFaction(ctx, factionId, credentials);
  const listing = listingOf(factionId, members, answer.membersCounted);

  const further = await readFurther(ctx, factionId, { credentials, first: answer });
  const crimes = withoutDuplicates([answer.crimes, ...further.pages].flat());
  const findings = findDelays(crimes, members, at);
  const seen = new Set(members.map(({ playerId }) => playerId));
  const hasUnseen = ({ slots }: Crime) =>
    slots.some(({ member }) => member && !seen.has(member.playerId));
  const delays = await ctx.database.transaction(async (tx) => {
    await noteMigrated(tx, factionId, true);
    const watched = await wasListed(tx, factionId);
    await placeMembers(ctx, tx, { factionId, ...listing, at, watched });
    const known = await listClosedCrimes(
      tx,
      crimes.map(({ crimeId }) => crimeId),
    );
    await saveCrimes(tx, {
      factionId,
      crimes: crimes.filter(({ crimeId }) => !known.has(crimeId)),
      at,
    });
    const added = await addDelays(tx, { factionId, delays: findings, at });
    const resumed = await noteHeldUp(tx, {
      ...{ factionId, at },
      // A crime with a member who is not listed may still be held up by them.
      listed: crimes.filter((crime) => !hasUnseen(crime)).map(({ crimeId }) => crimeId),
      heldUp: findings.map(({ crimeId }) => crimeId),
    });
    await recordEvents(ctx, tx, [
      ...[...new Set(added)].map((subject) => ({ type: crimeDelayed, subject, factionId })),
      ...resumed.map((subject) => ({ type: crimeResumed, subject, factionId })),
    ]);
    return added.length;
  });
  const calls = credentials.calls - 1 - further.pages.length;
  const closed = further.complete
    ? await closeCrimes(ctx, factionId, { ...credentials, calls, listed: crimes, at })
    : 0;
  const counts = { delays, ...countUnreadable(answer.crimes, ...further.pages) };
  return closed === 0 ? counts : { ...counts, closed };
}

/** The pages behind a first one that is full, within the calls that are left. */
async function readFurther(
  ctx: Context,
  factionId: number,
  of: { credentials: LimitedCredentials; first: CrimePage },
) {
  const { credentials, first } = of;
  const pages: Rows<Crime>[] = [];
  let last = first.crimes;
  while (rowsSent(last) >= crimePageSize && pages.length + 1 < credentials.calls) {
    const offset = (pages.length + 1) * crimePageSize;
    const page = await callGame(ctx, {
      ...credentials,
      call: (game, text) => game.factionCrimes(text, { category: "available", offset }),
    });
    if (page.factionId !== factionId) return rejectWrongFaction(ctx, factionId, credentials);
    last = page.crimes;
    pages.push(last);
  }
  return { pages, complete: rowsSent(last) < crimePageSize };
}

/** @returns null for a faction with the old kind of crimes */
async function askForCrimes(
  ctx: Context,
  credentials: LimitedCredentials,
): Promise<CrimesWithMembers | null> {
  try {
    return await callGame(ctx, {
      ...credentials,
      call: (game, text) => game.factionCrimesWithMembers(text),
    });
  } catch (error) {
    if (isGameCallError(error) && error.kind === "not-migrated") return null;
    throw error;
  }
}
