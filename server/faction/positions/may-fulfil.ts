import { abilityOfFlag } from "./abilities";
import type { Standing } from "./standing";

const givingAbility = {
  money_balance: abilityOfFlag.give_money,
  points_balance: abilityOfFlag.give_points,
} as const;

/** Whether somebody may pay out this kind of balance. Who adjusts balances, and who leads, may pay out either. */
export function mayFulfil({ factionId, leader, abilities }: Standing, currency: keyof typeof givingAbility): boolean {
  if (factionId === null) return false;
  return leader || abilities.includes(abilityOfFlag.adjust_balances) || abilities.includes(givingAbility[currency]);
}
