import { dayMs, daySeconds, toUnixSeconds } from "#server/platform/time";
import { type DemoPerson, demoPeople } from "./demo-people";
import { createRandom, shuffled } from "./draw";
import { playerName } from "./names";
import { clamp, createTraits } from "./people/traits";

/** Low bits of a snowflake: here the player's index, so that a lookup by chat id needs no table. */
const chatLowBits = 22n;

/** Small worlds draw from the names of large ones, so that names are as mixed. */
const spreadOfNames = 9_600;

/** Only control verbs change these fields. Computed on demand. */
export interface Player {
  readonly index: number;
  readonly id: number;
  readonly name: string;
  readonly level: number;
  readonly gender: "Male" | "Female" | "Enby";
  readonly signedUp: Date;
  readonly chatId: bigint | null;
  readonly activity: number;
  /** Set for a fifth of all players, unseen for more than 30 days. */
  readonly silentSince: Date | null;
  readonly fate: "free" | "federal" | "fallen";
  readonly awards: number;
  readonly karma: number;
}

/** Ids have gaps, so some numbers below the highest name no player. */
export function createPlayers(world: { seed: number; epoch: Date; count: number }) {
  const draw = createRandom(world.seed, "players");
  const traits = createTraits(world);
  const chatDraw = createRandom(world.seed, "chat");
  const nameOrder = shuffled(
    createRandom(world.seed, "names"),
    Math.max(world.count, spreadOfNames),
  );
  const epochSeconds = toUnixSeconds(world.epoch);

  const idAt = (index: number) =>
    demoPeople[index]?.playerId ?? 100_000 + 7 * index + (draw.bits(index, 1) % 7);

  function indexOf(id: number): number | null {
    const demo = demoPeople.findIndex((person) => person.playerId === id);
    const index = demo >= 0 ? demo : Math.floor((id - 100_000) / 7);
    return index >= 0 && index < world.count && idAt(index) === id ? index : null;
  }

  function chatIdAt(index: number): bigint | null {
    if (!demoPeople[index] && chatDraw.unit(index) >= 0.85) return null;
    // A snowflake counts milliseconds from the start of 2015 in its high bits.
    const linkedAfter = 400 * dayMs + Math.floor(chatDraw.unit(index, 1) * 3_300 * dayMs);
    // The lowest bit is set: an odd number of this size is not exact as a double.
    return (BigInt(linkedAfter) << chatLowBits) | BigInt(index * 2 + 1);
  }

  function indexOfChat(chatId: bigint): number | null {
    const index = Number((chatId & ((1n << chatLowBits) - 1n)) >> 1n);
    return index < world.count && chatIdAt(index) === chatId ? index : null;
  }

  function at(index: number): Player {
    const demo: DemoPerson | undefined = demoPeople[index];
    const { ageDays, activity, winRate, silentSince, fate } = traits(index);
    const activeDays = ageDays * activity;
    const won = activeDays * winRate;
    const level =
      1 + 14 * Math.log10(1 + won) + 5 * Math.log10(1 + activeDays) + 6 * draw.normal(index, 5);
    return {
      index,
      id: idAt(index),
      name: demo?.name ?? playerName(nameOrder[index] ?? index),
      level: Math.round(clamp(level, 1, 100)),
      gender: (["Male", "Female", "Enby"] as const)[draw.bits(index, 9) % 3] ?? "Enby",
      signedUp: new Date((epochSeconds - Math.floor(ageDays * daySeconds)) * 1000),
      chatId: chatIdAt(index),
      activity,
      silentSince,
      fate,
      awards: Math.floor(activeDays / 8),
      karma: draw.between(index, 10, [0, 900]),
    };
  }

  return { at, idAt, indexOf, indexOfChat, traits };
}
