import { toUnixSeconds } from "#server/platform/time";
import { slotsOf, tools } from "#simulator/crime-types";
import { createDraw } from "#simulator/draw";
import type { World } from "#simulator/world";
import type { Crime, createCrimes } from "./crimes";

const shareMissingTools = 0.08;
const toolDraw = createDraw(0, "crime-tools");

/** The member in a slot, as the game shows them: progress in percent, and after the end how it went for them. */
function userOf(crime: Crime, slot: number, seen: { world: World; now: number }) {
  const { index, joinedAt } = crime.slots[slot] ?? { index: null, joinedAt: 0 };
  if (index === null || !crime.filled[slot]) return null;
  const done = ((crime.executedAt ?? seen.now) - joinedAt) / Math.max(1, (crime.readyAt ?? seen.now) - joinedAt);
  const outcome = { Successful: "Successful", Failure: "Failed" }[crime.status as string] ?? null;
  return {
    id: seen.world.playerAt(index).id,
    joined_at: joinedAt,
    progress: Math.round(Math.min(1, Math.max(0, done)) * 10_000) / 100,
    outcome,
    item_outcome: null,
  };
}

/**
 * A crime as `faction/crimes` lists it.
 * @param reader the index of whose pass rates empty slots show
 * @param numbered whether slots tell their numbers
 */
export function crimeRow(
  crime: Crime,
  seen: { world: World; crimes: ReturnType<typeof createCrimes>; now: Date; reader: number; numbered: boolean },
) {
  const { world, crimes, reader } = seen;
  const now = toUnixSeconds(seen.now);
  const slots = slotsOf(crime.type.roles, seen.numbered).map(({ role, info }, slot) => {
    const tool = tools[role];
    const user = userOf(crime, slot, { world, now });
    const whose = user === null ? reader : (crime.slots[slot]?.index ?? reader);
    const available = user !== null && toolDraw.unit(crime.id, slot) >= shareMissingTools;
    return {
      position: role,
      position_info: info,
      item_requirement: tool ? { id: tool.itemId, is_reusable: tool.reusable, is_available: available } : null,
      user,
      checkpoint_pass_rate: crime.status === "Expired" ? 0 : crimes.passRate(whose, role, crime.type.difficulty),
    };
  });
  const money = crime.type.difficulty * crime.type.roles.length * 750_000;
  const rewards = { money, items: [], respect: crime.type.difficulty * 3, scope: 1, payout: null };
  return {
    id: crime.id,
    previous_crime_id: null,
    name: crime.type.name,
    difficulty: crime.type.difficulty,
    status: crime.status,
    created_at: crime.createdAt,
    planning_at: crime.planningAt,
    ready_at: crime.readyAt,
    expired_at: crime.expiresAt,
    executed_at: crime.executedAt,
    slots,
    rewards: crime.status === "Successful" ? rewards : null,
  };
}
