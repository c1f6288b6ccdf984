import { z } from "zod";
import { toUnixSeconds } from "#server/platform/time";
import { Behaviour } from "#simulator/behaviour";
import { type CrimeType, crimeTypes } from "#simulator/crime-types";
import type { Faction } from "#simulator/factions";
import { Fault } from "#simulator/faults";
import { results } from "#simulator/fights";
import { type ControlParts, id, mustExist, verb } from "./verb";

const Attack = z.strictObject({
  attackerId: id,
  defenderId: id,
  result: z.enum(results).optional(),
  overseas: z.boolean().optional(),
  stealth: z.boolean().optional(),
  respect: z.number().nonnegative().optional(),
  war: z.boolean().optional(),
  retaliation: z.boolean().optional(),
});
const hospitalStay = [15 * 60, 240 * 60] as const;

export function fightVerbs({ world, fights, cache, now }: ControlParts) {
  return {
    /** The fight ends now, and both sides see it at once. */
    attack: verb(Attack, ({ attackerId, defenderId, ...requested }) => {
      const attacker = mustExist(world.player(attackerId), "The attacker");
      const defender = mustExist(world.player(defenderId), "The defender");
      const { code, result, mark } = fights.attack(
        attacker.index,
        defender.index,
        requested,
        now(),
      );
      if (result === "Hospitalized") {
        const [least, most] = hospitalStay;
        const until = new Date(now().getTime() + (least + (mark % (most - least))) * 1000);
        world.change(defenderId, { status: { state: "Hospital", until } }, now());
      }
      cache.clear();
      return { code };
    }),
  };
}

const mostFunds = 2 ** 53 - 1;
const amount = z.int().min(1).max(mostFunds);

/** Either `money` or `points`. */
const GiveFunds = z.strictObject({
  factionId: id,
  by: id,
  to: id,
  money: amount.optional(),
  points: amount.optional(),
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
    giveFunds: verb(GiveFunds, ({ factionId, by, to, money, points }) => {
      const faction = mustExist(world.faction(factionId), "The faction");
      const people = {
        to: mustExist(world.player(to), "The player"),
        by: mustExist(world.player(by), "The banker"),
      };
      const currency = points === undefined ? "money" : "points";
      const amount = points ?? money;
      if (amount === undefined) throw new Error("Say how much is given: money or points.");
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
        if (amount !== undefined) vault.setBalance(faction, index, currency, amount);
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
        name === undefined
          ? typeOfSize(memberIds.length)
          : (crimeTypes.find((type) => type.name === name) ?? null),
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

/** A factor of twenty exceeds any real day and keeps price arithmetic in exact integers. */
const ShockStock = z.strictObject({ stockId: id, factor: z.number().min(0.05).max(20) });

export function marketVerbs({ stockMarket, now }: ControlParts) {
  return {
    /** Applies from the next minute on. */
    shockStock: verb(ShockStock, ({ stockId, factor }) => {
      mustExist(stockMarket.shock(stockId, factor, now()), "The stock");
    }),
  };
}

export function faultVerbs({ faults }: ControlParts) {
  return {
    addFault: verb(Fault, (fault) => faults.add(fault)),
    clearFaults: () => faults.clear(),
  };
}

const Advance = z.strictObject({ seconds: z.number().positive() });

export function clockVerbs({
  seed,
  epoch,
  world,
  behaviour,
  keys,
  faults,
  cache,
  now,
  advance,
}: ControlParts) {
  return {
    /** Makes a change visible before the 29 seconds of the cache are over. */
    clearCache: () => cache.clear(),
    /** Omitted fields stay. Returns the whole behaviour. */
    setBehaviour: verb(Behaviour.partial(), (requested) => {
      cache.clear();
      return behaviour.change(requested);
    }),
    advance: verb(Advance, ({ seconds }) => advance(seconds)),
    state: () => ({
      seed,
      epoch: epoch.toISOString(),
      now: now().toISOString(),
      players: world.counts.players,
      factions: world.counts.factions,
      keys: keys.count(),
      faults: faults.count(now()),
    }),
  };
}
