import type { Settings } from "#server/platform/env";

const site = "https://www.torn.com";

/** Simulated players have no page: the ids on the real site are strangers. */
type Game = Pick<Settings, "demo">;

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

export const profileUrl = ({ demo }: Game, playerId: number): string | null =>
  demo === "off" ? `${site}/profiles.php?XID=${playerId}` : null;

export const attackUrl = ({ demo }: Game, playerId: number): string | null =>
  demo === "off" ? `${site}/loader.php?sid=attack&user2ID=${playerId}` : null;

const keyLevels = { "Public Only": 1, Limited: 3 } as const;

export const newKeyUrl = (level: keyof typeof keyLevels): string =>
  `${site}/preferences.php#tab=api?step=addNewKey&title=Adjutant&type=${keyLevels[level]}`;
