import { z } from "zod";
import { toUnixSeconds } from "#server/platform/time";
import { type CrimeType, crimeTypes } from "#simulator/crimes/crime-types";
import type { Faction } from "#simulator/factions";
import { type ControlParts, id, mustExist, verb } from "./verb";

const mostFunds = 2 ** 53 - 1;
const amount = z.int().min(1).max(mostFunds);

/** `money: 5` and `points: 5`, or `amount: 5` with `points: true`. */
const GiveFunds = z
  .strictObject({
    factionId: id,
    by: id,
    to: id,
    money: z.union([amount, z.literal(true)]).optional(),
    points: z.union([amount, z.literal(true)]).optional(),
    amount: amount.optional(),
  })
  .transform(({ money, points, amount, ...people }) => {
    const currency = points === undefined ? ("money" as const) : ("points" as const);
    const named = points ?? money;
    return { ...people, currency, amount: typeof named === "number" ? named : amount };
  });

const balance = z.int().min(0).max(mostFunds);
const SetBalance = z.strictObject({
  factionId: id,
  playerId: id,
  money: balance.optional(),
  points: balance.optional(),
});

export function vaultVerbs({ world, vault, now }: ControlParts) {
  return {
    giveFunds: verb(GiveFunds, ({ factionId, by, to, currency, amount }) => {
      const faction = mustExist(world.faction(factionId), "The faction");
      const people = {
        to: mustExist(world.player(to), "The player"),
        by: mustExist(world.player(by), "The banker"),
      };
      if (amount === undefined)
        throw new Error("Say how much is given: money, points, or an amount.");
      const newsId = vault.give(faction, people, { currency, amount, now: now() });
      if (newsId === null)
        throw new Error(`The balance of the player ${to} does not cover ${amount} of ${currency}.`);
      return { newsId };
    }),
    setBalance: verb(SetBalance, ({ factionId, playerId, ...amounts }) => {
      const faction = mustExist(world.faction(factionId), "The faction");
      const { index } = mustExist(world.player(playerId), "The player");
      for (const currency of ["money", "points"] as const) {
        const amount = amounts[currency];
        if (amount !== undefined) vault.set(faction, index, { currency, amount, now: now() });
      }
    }),
  };
}

const AddCrime = z.strictObject({
  factionId: id,
  /**
   * Default: a kind with as many slots as members. With more slots than members the crime recruits.
   */
  name: z.string().optional(),
  memberIds: z.array(id).min(1).max(6),
  /**
   * Seconds from now; negative for a crime that became ready earlier. It executes when it is added,
   * at the earliest.
   */
  readyIn: z.int(),
});
const WaitingCrew = z.strictObject({ factionId: id });

const SetOldCrimes = z.strictObject({
  factionId: id,
  old: z.boolean(),
  /** Error code 27, or a map in the shape of the old crimes. */
  answer: z.enum(["code", "map"]).default("code"),
});

function typeOfSize(size: number): CrimeType | null {
  const type = crimeTypes.find(({ roles }) => roles.length >= size);
  return type ? { ...type, roles: type.roles.slice(0, size) } : null;
}

export function crimeVerbs({ world, crimes, now }: ControlParts) {
  function memberOf(faction: Faction, playerId: number): number {
    const player = mustExist(world.player(playerId), `The player ${playerId}`);
    if (world.membership(player)?.faction.id === faction.id) return player.index;
    throw new Error(`The player ${playerId} is no member of the faction ${faction.id}.`);
  }

  return {
    addCrime: verb(AddCrime, ({ factionId, name, memberIds, readyIn }) => {
      const faction = mustExist(world.faction(factionId), "The faction");
      const type = mustExist(
        name === undefined ? typeOfSize(memberIds.length) : crimes.type(name),
        "The kind of crime",
      );
      if (type.roles.length < memberIds.length)
        throw new Error(`${type.name} has ${type.roles.length} slots only.`);
      const members = memberIds.map((playerId) => memberOf(faction, playerId));
      const readyAt = toUnixSeconds(now()) + readyIn;
      return { crimeId: crimes.add({ faction, type, members, readyAt }, now()) };
    }),
    /** Members of the faction's crimes that are ready but did not start. */
    waitingCrew: verb(WaitingCrew, ({ factionId }) => {
      const at = now();
      return crimes
        .current(mustExist(world.faction(factionId), "The faction"), at)
        .filter(({ readyAt }) => readyAt !== null && readyAt <= toUnixSeconds(at))
        .flatMap(({ slots }) => slots.flatMap(({ index }) => index ?? []))
        .map((index) => world.idAt(index));
    }),
    setOldCrimes: verb(SetOldCrimes, ({ factionId, old, answer }) => {
      crimes.setOld(mustExist(world.faction(factionId), "The faction"), old ? answer : null);
    }),
  };
}
