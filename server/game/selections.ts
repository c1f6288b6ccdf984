/** `section/selection` per kind of call, compared with a custom key's list. */
export const selectionsOf = {
  player: ["user/profile", "user/discord", "user/faction"],
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

export const personalStats = "user/personalstats";
export const battleStats = "user/battlestats";
