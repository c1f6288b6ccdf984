import type { Context } from "#server/context";
import type { CrimePage, CrimesWithMembers } from "#server/game/client";
import type { Crime } from "#server/game/contract/crime";
import { countUnreadable, type Rows, rowsSent } from "#server/game/contract/rows";
import { gameError, isGameError } from "#server/game/game-error";
import { callGame } from "#server/users/keys/call-game";
import { placeMembers } from "#server/users/membership/membership";
import { memberOf } from "../refresh-members";
import { rejectWrongFaction } from "../reject-wrong-faction";
import { noteSync } from "../store";
import { addDelays, listClosedCrimes, noteMigrated, saveCrimes } from "./board/store";
import { closeCrimes } from "./close-crimes";
import { type CrimeMeans, crimePageSize, eachOnce } from "./crime-pages";
import { findDelays } from "./delays";

/**
 * Reads the crimes that a faction prepares and its members as of one moment, mostly at the cost of one call, and stores both, with
 * who holds a crime up. A crime that is not among them any more is looked for among those that are over.
 * @throws GameError; what was stored before stays then
 * @returns how many delays are new; none for a faction with the old kind of crimes
 */
export async function refreshCrimes(ctx: Context, factionId: number, means: CrimeMeans) {
  const at = ctx.now();
  await noteSync(ctx.database.query, factionId, { reading: "crimes", at });
  const answer = await askForCrimes(ctx, means);
  if (!answer) {
    await noteMigrated(ctx.database.query, factionId, false);
    return { delays: 0 };
  }
  const { members } = answer;
  if (answer.factionId !== factionId) return rejectWrongFaction(ctx, factionId, means);
  // The key's owner is a member, so an empty listing is no listing.
  if (members.length === 0)
    throw gameError({ kind: "unexpected-answer", detail: `faction ${factionId}: no members besides the crimes` });

  const further = await readFurther(ctx, factionId, { means, first: answer });
  const crimes = eachOnce([answer.crimes, ...further.pages].flat());
  const findings = findDelays(crimes, members, at);
  const delays = await ctx.database.transaction(async (tx) => {
    await noteMigrated(tx, factionId, true);
    await placeMembers(tx, { factionId, members: members.map(memberOf), at });
    const known = await listClosedCrimes(
      tx,
      crimes.map(({ crimeId }) => crimeId),
    );
    await saveCrimes(tx, { factionId, crimes: crimes.filter(({ crimeId }) => !known.has(crimeId)), at });
    return addDelays(tx, { factionId, delays: findings, at });
  });
  const calls = means.calls - 1 - further.pages.length;
  const closed = further.complete ? await closeCrimes(ctx, factionId, { ...means, calls, listed: crimes, at }) : 0;
  const counts = { delays, ...countUnreadable(answer.crimes, ...further.pages) };
  return closed === 0 ? counts : { ...counts, closed };
}

/** The pages behind a first one that is full, within the calls that are left. */
async function readFurther(ctx: Context, factionId: number, of: { means: CrimeMeans; first: CrimePage }) {
  const { means, first } = of;
  const pages: Rows<Crime>[] = [];
  let last = first.crimes;
  while (rowsSent(last) >= crimePageSize && pages.length + 1 < means.calls) {
    const offset = (pages.length + 1) * crimePageSize;
    const page = await callGame(ctx, {
      ...means,
      call: (game, text) => game.factionCrimes(text, { category: "available", offset }),
    });
    if (page.factionId !== factionId) return rejectWrongFaction(ctx, factionId, means);
    last = page.crimes;
    pages.push(last);
  }
  return { pages, complete: rowsSent(last) < crimePageSize };
}

/** @returns null for a faction with the old kind of crimes */
async function askForCrimes(ctx: Context, means: CrimeMeans): Promise<CrimesWithMembers | null> {
  try {
    return await callGame(ctx, { ...means, call: (game, text) => game.factionCrimesWithMembers(text) });
  } catch (error) {
    if (isGameError(error) && error.kind === "not-migrated") return null;
    throw error;
  }
}
