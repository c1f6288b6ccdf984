import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import {
  allPurposes,
  type KeyPurpose,
  type KeyUses,
  limitedLevel,
  selectionsFor,
} from "#server/game/selections";
import { newKeyUrl } from "#server/game/site-urls";
import type { SwitchName } from "../store";
import { type KeySummary, listKeySummaries } from "./store";

export interface KeyToCreate {
  /** Null in the demo, because its game has no pages. */
  readonly url: string | null;
  readonly selections: readonly string[];
}

/** Includes the selections of the player's present keys, so that the new key can replace them. */
export async function describeKeyToCreate(
  ctx: Context,
  user: Pick<PortalUser, "accountId"> | null,
  wanted: KeyUses,
): Promise<KeyToCreate> {
  const cards = user ? await listKeySummaries(ctx.database, user.accountId) : [];
  const all = [...selectionsFor(wanted), ...cards.flatMap(usedSelections)];
  const selections = [...new Set(all)];
  return { url: newKeyUrl(ctx.settings, selections), selections };
}

const everything = selectionsFor({ purposes: allPurposes });
/** These purposes have no switch. */
const usual: readonly KeyPurpose[] = ["stats", "faction"];

/** Ignores the state of the key. */
export const servedPurposes = (card: KeySummary): KeyPurpose[] =>
  allPurposes.filter((purpose) => serves(card, purpose));

function serves({ level, selections, factionApiAccess }: KeySummary, purpose: KeyPurpose): boolean {
  if (purpose === "faction" && !factionApiAccess) return false;
  if (selections)
    return selectionsFor({ purposes: [purpose] }).every((needed) => selections.includes(needed));
  return purpose === "key" || purpose === "lending" || level >= limitedLevel;
}

/** Purposes that the player wants or could have, but that none of their working keys serves. */
export function unservedPurposes(
  cards: readonly KeySummary[],
  switches: readonly SwitchName[],
): KeyPurpose[] {
  const wanted: readonly KeyPurpose[] = [
    "stats",
    // A custom key may lack selections that the position allows.
    ...(cards.some((card) => card.factionApiAccess) ? (["faction"] as const) : []),
    ...(switches.includes("sharesOpponentStats") ? (["fights"] as const) : []),
    ...(switches.includes("lendsKey") ? (["lending"] as const) : []),
  ];
  const working = cards.filter(({ state }) => state === "active");
  return wanted.filter((purpose) => !working.some((card) => serves(card, purpose)));
}

function usedSelections(card: KeySummary): string[] {
  const { state, selections } = card;
  if (state === "dead") return [];
  if (selections) return selections.filter((selection) => everything.includes(selection));
  return selectionsFor({ purposes: usual.filter((purpose) => serves(card, purpose)) });
}
