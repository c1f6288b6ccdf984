import { z } from "zod";
import {
  count,
  decodedText,
  id,
  lastAction,
  nullableId,
  nullableInstant,
  nullableLevel,
  nullableObject,
  PlayerStatus,
} from "./fields";

const stat = nullableObject(z.object({ value: count.nullish() })).transform(
  (told) => told?.value ?? null,
);

/** Stats without modifiers. */
export const TrainedStats = z
  .object({ strength: stat, defense: stat, speed: stat, dexterity: stat })
  .transform(({ strength, defense, speed, dexterity }) =>
    strength === null || defense === null || speed === null || dexterity === null
      ? null
      : { strength, defense, speed, dexterity },
  );
export type BattleStats = NonNullable<z.output<typeof TrainedStats>>;

/** Paths below `personalstats`; all are in the category `popular`. */
const paths = {
  xanax: "drugs.xanax",
  overdoses: "drugs.overdoses",
  energyRefills: "other.refills.energy",
  donatorDays: "other.donator_days",
  awards: "other.awards",
  timeActive: "other.activity.time",
  currentStreak: "other.activity.streak.current",
  bestStreak: "other.activity.streak.best",
  bestDamage: "attacking.damage.best",
  attacksWon: "attacking.attacks.won",
  attacksLost: "attacking.attacks.lost",
  defendsWon: "attacking.defends.won",
  elo: "attacking.elo",
  warHits: "attacking.faction.ranked_war_hits",
  respect: "attacking.faction.respect",
  statEnhancers: "items.used.stat_enhancers",
  energyDrinks: "items.used.energy_drinks",
  boosters: "items.used.boosters",
  jobTrains: "jobs.trains_received",
  networth: "networth.total",
} as const;

function at(stats: unknown, path: string): unknown {
  let here: unknown = stats;
  for (const step of path.split(".")) {
    if (here === undefined || here === null) return here;
    if (typeof here !== "object") return Number.NaN;
    here = Object.hasOwn(here, step) ? (here as Record<string, unknown>)[step] : undefined;
  }
  return here;
}

/** A missing counter is null, never 0. */
export const PersonalStats = z.record(z.string(), z.unknown()).transform((stats, context) => {
  const counters: Record<string, number | null> = {};
  for (const [name, path] of Object.entries(paths)) {
    const value = at(stats, path) ?? null;
    if (value !== null && !Number.isFinite(value)) {
      context.addIssue({ code: "custom", message: "not a number" });
      return z.NEVER;
    }
    counters[name] = value as number | null;
  }
  return counters;
});

/** A snowflake as text; "", null and missing mean no link. Must fit a signed bigint column. */
const chatId = z
  .string()
  .regex(/^([1-9][0-9]{0,18})?$/)
  .nullish()
  .transform((digits) => (digits ? BigInt(digits) : null))
  .refine((value) => value === null || value < 2n ** 63n);

const Membership = nullableObject(
  z.object({ id: nullableId, name: decodedText, position: decodedText }),
).transform((faction) =>
  faction?.id
    ? { factionId: faction.id, name: faction.name, position: faction.position || null }
    : null,
);

/** `battleStats` and `personalStats` are null unless their selections were read. */
export const Player = z
  .object({
    profile: z.object({
      id,
      name: decodedText,
      level: nullableLevel,
      faction_id: nullableId,
      signed_up: nullableInstant,
      status: PlayerStatus,
      last_action: lastAction,
    }),
    discord: nullableObject(z.object({ discord_id: chatId })),
    faction: Membership,
    battlestats: nullableObject(TrainedStats),
    personalstats: nullableObject(PersonalStats),
  })
  .transform(({ profile, discord, faction, battlestats, personalstats }) => ({
    playerId: profile.id,
    name: profile.name,
    level: profile.level,
    factionId: profile.faction_id,
    signedUp: profile.signed_up,
    status: profile.status,
    lastAction: profile.last_action,
    chatId: discord?.discord_id ?? null,
    faction,
    battleStats: battlestats,
    personalStats: personalstats && { counters: personalstats },
  }));
export type Player = z.output<typeof Player>;

/** A list or a map; anything else counts as empty, so that sign-in still works. */
const selectionNames = z
  .unknown()
  .transform((names) =>
    Object.values(typeof names === "object" ? (names ?? {}) : {}).filter(
      (name): name is string => typeof name === "string",
    ),
  );

/** `access.faction` is true if the owner's position grants faction data. */
export const KeyInfo = z
  .object({
    info: z.object({
      user: z.object({ id, faction_id: nullableId }),
      access: z.object({
        level: z.int().min(0).max(4),
        type: decodedText,
        faction: z
          .boolean()
          .nullish()
          .transform((granted) => granted ?? false),
      }),
      selections: nullableObject(z.record(z.string(), selectionNames)),
    }),
  })
  .transform(({ info }) => ({
    playerId: info.user.id,
    factionId: info.user.faction_id,
    level: info.access.level,
    type: info.access.type,
    factionApiAccess: info.access.faction,
    selections: info.selections ?? {},
  }));
export type KeyInfo = z.output<typeof KeyInfo>;
