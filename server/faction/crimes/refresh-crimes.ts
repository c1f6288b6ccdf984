import type { Context } from "#server/context";
import { recordEvents } from "#server/event-log/record-events";
import { pageSize } from "#server/game/client";
import type { Crime } from "#server/game/contract/faction";
import { countUnreadable, type Rows, rowsSent } from "#server/game/contract/rows";
import { isGameCallError } from "#server/game/game-call-error";
import { dayMs } from "#server/platform/time";
import { callGame } from "#server/users/keys/call-game";
import { placeMembers } from "#server/users/membership/membership";
import { rejectWrongFaction } from "../check-faction";
import { listingOf } from "../refresh-members";
import { findListedAt } from "../store";
import type { LimitedCredentials } from "../sync-schedules";
import { noteSync } from "../sync-store";
import { addDelays, listOpenCrimes, noteHeldUp, noteMigrated, saveCrimes } from "./delay-store";
import { findDelays } from "./delays";
import { crimeDelayed, crimeResumed } from "./events";

/** The game may list a crime or a slot twice. */
function withoutDuplicates(crimes: readonly Crime[]): Crime[] {
  const slotsOnce = (crime: Crime) => ({
    ...crime,
    slots: [...new Map(crime.slots.map((slot) => [slot.slot, slot])).values()],
  });
  return [...new Map(crimes.map((crime) => [crime.crimeId, slotsOnce(crime)])).values()];
}

/** How long to search for a crime that the game no longer lists. */
const searchedMilliseconds = 2 * dayMs;

/**
 * Finds the outcome of stored open crimes that are no longer listed: first in completed crimes,
 * newest first, then in expired ones.
 * @param means with `calls` of 0 they are left to a later run
 * @throws GameCallError
 */
async function closeCrimes(
  ctx: Context,
  factionId: number,
  credentials: LimitedCredentials & { readonly listed: readonly Crime[]; readonly at: Date },
): Promise<number> {
  const { listed, at } = credentials;
  const since = new Date(at.getTime() - searchedMilliseconds);
  const open = await listOpenCrimes(ctx.database.query, { factionId, lastSeen: since });
  const missing = new Map(open.map(({ crimeId, lastSeen }) => [crimeId, lastSeen]));
  for (const { crimeId } of listed) missing.delete(crimeId);

  const categories: ("completed" | "expired")[] = ["completed", "expired"];
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
    // A crime cannot be on pages that end before it was last seen.
    const earliest = new Date(Math.min(...[...missing.values()].map((seen) => seen.getTime())));
    found.push(...page.crimes.filter(({ crimeId }) => missing.delete(crimeId)));
    offset += pageSize;
    const last = page.crimes.at(-1);
    if (last && rowsSent(page.crimes) >= pageSize && endOf(last) >= earliest) continue;
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
 * Usually one call for crimes and members as of one moment, and more for crimes that disappeared.
 * @throws GameCallError; stored data stays
 * @returns how many delays are new; none for the old kind of crimes
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

  const further = await readFurther(ctx, factionId, { credentials, first: answer.crimes });
  const crimes = withoutDuplicates([answer.crimes, ...further.pages].flat());
  const findings = findDelays(crimes, members, at);
  const seen = new Set(members.map(({ playerId }) => playerId));
  const hasUnseen = ({ slots }: Crime) =>
    slots.some(({ playerId }) => playerId !== null && !seen.has(playerId));
  const delays = await ctx.database.transaction(async (tx) => {
    await noteMigrated(tx, factionId, true);
    const watched = (await findListedAt(tx, factionId)) !== null;
    await placeMembers(ctx, tx, { factionId, ...listing, at, watched });
    await saveCrimes(tx, { factionId, crimes, at });
    const added = await addDelays(tx, { factionId, delays: findings, at });
    const resumed = await noteHeldUp(tx, {
      ...{ factionId, at },
      // An unlisted member may still delay the crime.
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

async function readFurther(
  ctx: Context,
  factionId: number,
  of: { credentials: LimitedCredentials; first: Rows<Crime> },
) {
  const { credentials, first } = of;
  const pages: Rows<Crime>[] = [];
  let last = first;
  while (rowsSent(last) >= pageSize && pages.length + 1 < credentials.calls) {
    const offset = (pages.length + 1) * pageSize;
    const page = await callGame(ctx, {
      ...credentials,
      call: (game, text) => game.factionCrimes(text, { category: "available", offset }),
    });
    if (page.factionId !== factionId) return rejectWrongFaction(ctx, factionId, credentials);
    last = page.crimes;
    pages.push(last);
  }
  return { pages, complete: rowsSent(last) < pageSize };
}

/** @returns null for a faction with the old kind of crimes */
async function askForCrimes(ctx: Context, credentials: LimitedCredentials) {
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
