import type { Context } from "#server/context";
import type { CrimeCategory } from "#server/game/client";
import type { Crime } from "#server/game/contract/crime";
import { rowsSent } from "#server/game/contract/rows";
import { dayMs } from "#server/platform/durations";
import { callGame } from "#server/users/keys/call-game";
import { rejectWrongFaction } from "../reject-wrong-faction";
import { listOpenCrimes, saveCrimes } from "./board/store";
import { type CrimeMeans, crimePageSize, eachOnce } from "./crime-pages";

/** A crime that the game lists nowhere is not looked for longer than this. */
const searchedMilliseconds = 2 * dayMs;

/**
 * Finds how those of a faction's crimes ended that are stored as going on and do not stand among the listed ones any more: first
 * among the crimes that were carried out, the latest first, then among the expired ones.
 * @param means with `calls` of 0 they are left to a later run
 * @returns how many were found
 * @throws GameError
 */
export async function closeCrimes(
  ctx: Context,
  factionId: number,
  means: CrimeMeans & { readonly listed: readonly Crime[]; readonly at: Date },
): Promise<number> {
  const { listed, at } = means;
  const since = new Date(at.getTime() - searchedMilliseconds);
  const open = await listOpenCrimes(ctx.database.query, { factionId, lastSeen: since });
  const missing = new Map(open.map(({ crimeId, lastSeen }) => [crimeId, lastSeen]));
  for (const { crimeId } of listed) missing.delete(crimeId);

  const categories: CrimeCategory[] = ["completed", "expired"];
  const found: Crime[] = [];
  let offset = 0;
  for (let call = 0; call < means.calls && missing.size > 0; call++) {
    const [category] = categories;
    if (!category) break;
    const asked = { category, offset };
    const page = await callGame(ctx, { ...means, call: (game, text) => game.factionCrimes(text, asked) });
    if (page.factionId !== factionId) return rejectWrongFaction(ctx, factionId, means);
    // What ended before any of them was last seen is not followed by them.
    const earliest = new Date(Math.min(...[...missing.values()].map((seen) => seen.getTime())));
    found.push(...page.crimes.filter(({ crimeId }) => missing.delete(crimeId)));
    offset += crimePageSize;
    const last = page.crimes.at(-1);
    if (last && rowsSent(page.crimes) >= crimePageSize && endOf(last) >= earliest) continue;
    categories.shift();
    offset = 0;
  }
  if (found.length > 0)
    await ctx.database.transaction((tx) => saveCrimes(tx, { factionId, crimes: eachOnce(found), at }));
  return found.length;
}

const endOf = ({ executedAt, expiredAt, createdAt }: Crime): Date => executedAt ?? expiredAt ?? createdAt;
