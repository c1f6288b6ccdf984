/** The game's own site, which people use; its API stands elsewhere. */
const site = "https://www.torn.com";

/**
 * The page of the game where a banker gives from the faction's vault, filled in.
 * @param kind what is given
 */
export function vaultPaymentUrl(
  kind: "money" | "points",
  given: { readonly playerId: number; readonly amount: number },
): string {
  const { playerId, amount } = given;
  const filled = kind === "money" ? `giveMoneyTo=${playerId}&money` : `givePointsTo=${playerId}&points`;
  return `${site}/factions.php?step=your#/tab=controls&option=give-to-user&${filled}=${amount}`;
}

/** A player's page in the game, from which they can be attacked. */
export const profileUrl = (playerId: number): string => `${site}/profiles.php?XID=${playerId}`;

/** The numbers of the game for the levels of a key that it makes. */
const keyLevels = { "Public Only": 1, Limited: 3 } as const;

/** The page of the game where a player makes a key, with its name and level filled in. */
export const newKeyUrl = (level: keyof typeof keyLevels): string =>
  `${site}/preferences.php#tab=api?step=addNewKey&title=Adjutant&type=${keyLevels[level]}`;
