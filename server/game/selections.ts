import type { ScopeName } from "#server/scopes";

export const personalStatsSelection = "user/personalstats";
export const battleStatsSelection = "user/battlestats";

/** The lowest level of a key that reads all data of its owner. */
export const limitedLevel = 3;

/** `section/selection` per kind of call, compared with a custom key's list. */
export const selectionsByCall = {
  player: ["user/profile", "user/discord", "user/faction"],
  counters: [personalStatsSelection],
  battleStats: [battleStatsSelection],
  fights: ["user/attacks"],
  members: ["faction/basic", "faction/members"],
  positions: ["faction/basic", "faction/positions"],
  attacks: ["faction/attacks"],
  crimes: ["faction/basic", "faction/members", "faction/crimes"],
  vaultBalance: ["faction/basic", "faction/balance"],
  vaultNews: ["faction/basic", "faction/news"],
  crimeTypes: ["torn/organizedcrimes"],
  stocks: ["torn/stocks"],
  items: ["torn/items"],
  pointsPrice: ["market/pointsmarket"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type KindOfCall = keyof typeof selectionsByCall;

/** Needed for every part of a faction, because rights follow positions. */
const membership = ["members", "positions"] as const satisfies readonly KindOfCall[];

export const keyPurposes = {
  key: { title: "Signing in", calls: ["player"] },
  stats: { title: "Battle stats, to find targets", calls: ["counters", "battleStats"] },
  faction: {
    title: "Your faction's data",
    calls: [...membership, "attacks", "crimes", "vaultBalance", "vaultNews"],
  },
  fights: { title: "Scores from your fights, if you share them", calls: ["fights"] },
  lending: {
    title: "Public data for everyone, if you lend your key",
    calls: ["counters", "crimeTypes", "stocks", "items", "pointsPrice"],
  },
} as const satisfies Readonly<
  Record<string, { readonly title: string; readonly calls: readonly KindOfCall[] }>
>;

export type KeyPurpose = keyof typeof keyPurposes;

export const allPurposes = Object.keys(keyPurposes) as readonly KeyPurpose[];

export const isKeyPurpose = (text: string): text is KeyPurpose => Object.hasOwn(keyPurposes, text);

const callsOfScope: Readonly<Record<ScopeName, readonly KindOfCall[]>> = {
  identity: ["player"],
  faction: keyPurposes.faction.calls,
  "faction:attacks": [...membership, "attacks"],
  "faction:banking": [...membership, "vaultBalance", "vaultNews"],
  "faction:crimes": [...membership, "crimes"],
  "service_key:usage": ["player"],
};

/** Uses of a key besides signing in. */
export interface KeyUses {
  readonly purposes?: readonly KeyPurpose[] | undefined;
  readonly scopes?: readonly ScopeName[] | undefined;
}

export function selectionsFor({ purposes = [], scopes = [] }: KeyUses): string[] {
  const calls: readonly KindOfCall[] = [
    ...keyPurposes.key.calls,
    ...purposes.flatMap((purpose): readonly KindOfCall[] => keyPurposes[purpose].calls),
    ...scopes.flatMap((scope) => callsOfScope[scope]),
  ];
  return [...new Set(calls.flatMap((call): readonly string[] => selectionsByCall[call]))];
}

export function bySection(selections: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const sections = new Map<string, string[]>();
  for (const selection of selections) {
    const [section = "", name = ""] = selection.split("/");
    sections.set(section, [...(sections.get(section) ?? []), name]);
  }
  return sections;
}
