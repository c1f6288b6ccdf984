import type { Settings } from "#server/platform/env";
import { bySection } from "./selections";

const site = "https://www.torn.com";

/** The demo has no links, because on the real site its ids belong to other players. */
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

export function newKeyUrl({ demo }: Game, selections: readonly string[]): string | null {
  const listed = [...bySection(selections)].map(([section, names]) => `&${section}=${names}`);
  return demo === "off"
    ? `${site}/preferences.php#tab=api?step=addNewKey&title=Adjutant${listed.join("")}`
    : null;
}
