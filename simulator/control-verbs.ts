import { z } from "zod";
import { toUnixSeconds } from "#server/platform/time";
import type { AnswerCache } from "./answer";
import type { GameAreas } from "./areas";
import { Behaviour } from "./behaviour";
import { type CrimeType, crimeTypes } from "./crime-types";
import { abilities, type Faction, unlistedPositions } from "./factions";
import { Fault, type Faults, instant } from "./faults";
import { results } from "./fights";
import type { Keys } from "./keys";
import { scoreOf } from "./people/battle-stats";
import type { Player } from "./players";
import type { Currency } from "./vault";

interface Game extends GameAreas {
  readonly seed: number;
  readonly epoch: Date;
  readonly keys: Keys;
  readonly faults: Faults;
  readonly cache: AnswerCache;
  readonly now: () => Date;
  readonly advance: (seconds: number) => void;
}

/** @throws if the input is invalid or names something that does not exist */
const verb =
  <Input extends z.ZodType, Result>(input: Input, run: (input: z.output<Input>) => Result) =>
  (given: z.input<Input>): Result =>
    run(input.parse(given));

function mustExist<Found>(thing: Found | null | false, what: string): Found {
  if (thing === null || thing === false)
    throw new Error(`${what} does not exist in the simulated game.`);
  return thing;
}

const id = z.int().positive();

const keyText = z.string().regex(/^[A-Za-z0-9]{16}$/);

const CreateKey = z.strictObject({
  playerId: id,
  level: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)]).optional(),
  key: keyText.optional(),
  selections: z.record(z.string(), z.array(z.string())).optional(),
});
const PauseKey = z.strictObject({ key: keyText, paused: z.boolean().default(true) });
const DeleteKey = z.strictObject({ key: keyText });

/** From this level a key reads the owner's battle stats and fights. */
const limited = 3;

const state = z.enum(["Okay", "Hospital", "Jail", "Traveling", "Abroad", "Federal", "Fallen"]);
/** A chat id exceeds the exact integers of JSON, so over HTTP it is text. */
const chatId = z.union([
  z.bigint(),
  z
    .string()
    .regex(/^[0-9]{1,19}$/)
    .transform(BigInt),
]);

const SetPlayer = z.strictObject({
  playerId: id,
  name: z.string().min(1).max(15).optional(),
  level: z.int().min(1).max(100).optional(),
  chatId: chatId.nullable().optional(),
  factionId: id.nullable().optional(),
  position: z.string().optional(),
  status: z
    .strictObject({ state, until: instant.nullable().optional(), place: z.string().optional() })
    .nullable()
    .optional(),
  lastAction: instant.nullable().optional(),
});
const SetPositions = z.strictObject({
  factionId: id,
  positions: z
    .array(
      z.strictObject({
        name: z
          .string()
          .refine(
            (name) => !unlistedPositions.includes(name),
            "This position is not listed by the game.",
          ),
        isDefault: z.boolean(),
        abilities: z.array(z.enum(abilities)),
      }),
    )
    .refine(
      (list) => new Set(list.map(({ name }) => name)).size === list.length,
      "Names are unique in a faction.",
    ),
});

const stat = z.int().nonnegative();

const SetStats = z.strictObject({
  playerId: id,
  strength: stat,
  defense: stat,
  speed: stat,
  dexterity: stat,
});
const Oracle = z.strictObject({ playerId: id });

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

const AddCrime = z.strictObject({
  factionId: id,
  /** Default: a kind with as many slots as members. A kind with more slots recruits. */
  name: z.string().optional(),
  memberIds: z.array(id).min(1).max(6),
  /** Seconds until the crime is ready, may be negative. It never executes before it was added. */
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

/** A factor of twenty exceeds any real day and keeps price arithmetic in exact integers. */
const ShockStock = z.strictObject({ stockId: id, factor: z.number().min(0.05).max(20) });

const Advance = z.strictObject({ seconds: z.number().positive() });

/** The test verbs, also served over HTTP by `npm run simulator`. */
export function controlVerbs(game: Game) {
  const { world, keys, people, fights, crimes, vault, faults, cache, now } = game;

  const playerOf = (playerId: number, what = "The player"): Player =>
    mustExist(world.player(playerId), what);
  const factionOf = (factionId: number): Faction =>
    mustExist(world.faction(factionId), "The faction");

  function memberOf(faction: Faction, playerId: number): number {
    const player = playerOf(playerId, `The player ${playerId}`);
    if (world.membership(player)?.faction.id === faction.id) return player.index;
    throw new Error(`The player ${playerId} is no member of the faction ${faction.id}.`);
  }

  return {
    /** Players with a working key of limited access or more. */
    keyHolders: () =>
      keys.all().flatMap((key) => {
        const player = world.player(key.playerId);
        if (!player || key.level < limited || key.paused) return [];
        if (player.silentSince || player.fate !== "free") return [];
        const factionId = world.membership(player)?.faction.id ?? null;
        return [
          {
            key: key.key,
            playerId: player.id,
            factionId,
            readsFaction: world.hasFactionAccess(player),
          },
        ];
      }),
    createKey: verb(CreateKey, (requested) => {
      playerOf(requested.playerId);
      return { key: keys.create(requested) };
    }),
    pauseKey: verb(PauseKey, ({ key, paused }) => {
      mustExist(keys.find(key), "The key").paused = paused;
    }),
    deleteKey: verb(DeleteKey, ({ key }) => {
      mustExist(keys.remove(key), "The key");
    }),

    setPlayer: verb(SetPlayer, ({ playerId, ...change }) => {
      mustExist(world.change(playerId, change, now()), "The player or faction");
    }),
    setPositions: verb(SetPositions, ({ factionId, positions }) => {
      world.setPositions(factionOf(factionId), positions);
    }),
    setStats: verb(SetStats, ({ playerId, ...stats }) => {
      people.setStats(playerOf(playerId).index, stats, now());
    }),
    playerIds: (): number[] =>
      Array.from({ length: world.counts.players }, (_, index) => world.playerAt(index).id),
    oracle: verb(Oracle, ({ playerId }) => {
      const player = playerOf(playerId);
      const stats = people.stats(player.index, now());
      const faction = world.membership(player)?.faction;
      const owned = (currency: Currency) =>
        faction ? vault.balance(faction, player.index, currency) : 0;
      return { ...stats, score: scoreOf(stats), money: owned("money"), points: owned("points") };
    }),

    /** The fight ends now, and both sides see it at once. */
    attack: verb(Attack, ({ attackerId, defenderId, ...requested }) => {
      const attacker = playerOf(attackerId, "The attacker");
      const defender = playerOf(defenderId, "The defender");
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

    addCrime: verb(AddCrime, ({ factionId, name, memberIds, readyIn }) => {
      const faction = factionOf(factionId);
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
    /** Members of crimes that are ready but have not started. */
    waitingCrew: verb(WaitingCrew, ({ factionId }) => {
      const at = now();
      return crimes
        .current(factionOf(factionId), at)
        .filter(({ readyAt }) => readyAt !== null && readyAt <= toUnixSeconds(at))
        .flatMap(({ slots }) => slots.flatMap(({ index }) => index ?? []))
        .map((index) => world.idAt(index));
    }),
    setOldCrimes: verb(SetOldCrimes, ({ factionId, old, answer }) => {
      crimes.setOld(factionOf(factionId), old ? answer : null);
    }),

    giveFunds: verb(GiveFunds, ({ factionId, by, to, money, points }) => {
      const faction = factionOf(factionId);
      const people = { to: playerOf(to), by: playerOf(by, "The banker") };
      const currency = points === undefined ? "money" : "points";
      const amount = points ?? money;
      if (amount === undefined) throw new Error("Say how much is given: money or points.");
      const newsId = vault.give(faction, people, { currency, amount, now: now() });
      if (newsId === null)
        throw new Error(`The balance of the player ${to} does not cover ${amount} of ${currency}.`);
      return { newsId };
    }),
    setBalance: verb(SetBalance, ({ factionId, playerId, ...amounts }) => {
      const faction = factionOf(factionId);
      const { index } = playerOf(playerId);
      for (const currency of ["money", "points"] as const) {
        const amount = amounts[currency];
        if (amount !== undefined) vault.setBalance(faction, index, currency, amount);
      }
    }),

    addFault: verb(Fault, (fault) => faults.add(fault)),
    clearFaults: () => faults.clear(),

    /** Applies from the next minute on. */
    shockStock: verb(ShockStock, ({ stockId, factor }) => {
      mustExist(game.stockMarket.shock(stockId, factor, now()), "The stock");
    }),

    /** Makes a change visible before the 29 seconds of the cache are over. */
    clearCache: () => cache.clear(),
    /** Omitted fields stay. Returns the whole behaviour. */
    setBehaviour: verb(Behaviour.partial(), (requested) => {
      cache.clear();
      return game.behaviour.change(requested);
    }),
    advance: verb(Advance, ({ seconds }) => game.advance(seconds)),
    state: () => ({
      seed: game.seed,
      epoch: game.epoch.toISOString(),
      now: now().toISOString(),
      players: world.counts.players,
      factions: world.counts.factions,
      keys: keys.count(),
      faults: faults.count(now()),
    }),
  };
}
