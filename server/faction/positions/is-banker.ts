import { abilityOfFlag } from "./abilities";
import type { Standing } from "./standing";

const bankingAbilities: readonly string[] = [
  abilityOfFlag.give_money,
  abilityOfFlag.give_points,
  abilityOfFlag.adjust_balances,
];

/** Whether somebody has banking permissions in their faction: sees and cancels every request, and may fulfil some. */
export const isBanker = ({ factionId, leader, abilities }: Standing): boolean =>
  factionId !== null && (leader || abilities.some((ability) => bankingAbilities.includes(ability)));
