import type { Settings } from "#server/platform/env";

/** The game's own site, which people use; its API stands elsewhere. */
const site = "https://www.torn.com";

/** Players of a simulated game have no page: the site's would show, and pay, strangers. */
type Game = Pick<Settings, "demo">;

/** The page of the game where a banker gives from the faction's vault, filled in; null where the game is simulated. */
export function vaultPaymentUrl(
  { demo }: Game,
  given: {
    readonly currency: "money_balance" | "points_balance";
    readonly playerId: number;
    readonly amount: number;
  },
): string | null {
  const { currency, playerId, amount } = given;
  const filled =
    currency === "money_balance"
      ? `giveMoneyTo=${playerId}&money`
      : `givePointsTo=${playerId}&points`;
  return demo === "off"
    ? `${site}/factions.php?step=your#/tab=controls&option=give-to-user&${filled}=${amount}`
    : null;
}

/** A player's page in the game, from which they can be attacked; null where the game is simulated. */
export const profileUrl = ({ demo }: Game, playerId: number): string | null =>
  demo === "off" ? `${site}/profiles.php?XID=${playerId}` : null;

/** The numbers of the game for the levels of a key that it makes. */
const keyLevels = { "Public Only": 1, Limited: 3 } as const;

/** The page of the game where a player makes a key, with its name and level filled in. */
export const newKeyUrl = (level: keyof typeof keyLevels): string =>
  `${site}/preferences.php#tab=api?step=addNewKey&title=Adjutant&type=${keyLevels[level]}`;
