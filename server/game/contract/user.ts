import { z } from "zod";
import {
  id,
  idOrNone,
  instantOrNever,
  LastAction,
  levelOrNone,
  orNone,
  Status,
  text,
} from "./fields";
import { battleStatsFields, battleStatsRecord, countersOf, personalStatsFields } from "./stats";

/**
 * A 64-bit snowflake as text; "", null and missing mean no link. Must fit a signed bigint column.
 */
const chatId = z
  .string()
  .regex(/^([1-9][0-9]{0,18})?$/)
  .nullish()
  .transform((digits) => (digits ? BigInt(digits) : null))
  .refine((value) => value === null || value < 2n ** 63n);

const profileFields = z.object({
  id,
  name: text,
  level: levelOrNone,
  faction_id: idOrNone,
  role: text,
  signed_up: instantOrNever,
  status: Status,
  last_action: LastAction,
});

const discordFields = orNone(z.object({ user_id: idOrNone, discord_id: chatId })).transform(
  (discord) => ({ playerId: discord?.user_id ?? null, chatId: discord?.discord_id ?? null }),
);

const membershipFields = orNone(z.object({ id: idOrNone, name: text, position: text })).transform(
  (faction) => {
    if (!faction?.id) return null;
    const { id, name, position } = faction;
    return { factionId: id, name, position: position || null };
  },
);

const playerFields = z.object({
  profile: profileFields,
  discord: discordFields,
  faction: membershipFields,
});

const playerRecord = ({ profile, discord, faction }: z.output<typeof playerFields>) => ({
  playerId: profile.id,
  name: profile.name,
  level: profile.level,
  factionId: profile.faction_id,
  role: profile.role,
  signedUp: profile.signed_up,
  status: profile.status,
  lastAction: profile.last_action,
  chatId: discord.chatId,
  faction,
});

const personalStatsRecord = (stats: z.output<typeof personalStatsFields> | null) =>
  stats && { counters: countersOf(stats) };

/**
 * `user?selections=profile,discord,faction`, optionally `personalstats`: one call of the owner's
 * budget.
 */
export const Player = playerFields
  .extend({ personalstats: orNone(personalStatsFields) })
  .transform(({ personalstats, ...player }) => ({
    ...playerRecord(player),
    personalStats: personalStatsRecord(personalstats),
  }));
export type Player = z.output<typeof Player>;

export const OwnPlayer = playerFields
  .extend({
    battlestats: orNone(battleStatsFields),
    personalstats: orNone(personalStatsFields),
  })
  .transform(({ battlestats, personalstats, ...player }) => ({
    ...playerRecord(player),
    battleStats: battlestats && battleStatsRecord(battlestats),
    personalStats: personalStatsRecord(personalstats),
  }));
export type OwnPlayer = z.output<typeof OwnPlayer>;

/** A list or a map; anything else counts as empty, so that sign-in still works. */
const selectionNames = z
  .unknown()
  .transform((names) =>
    Object.values(typeof names === "object" ? (names ?? {}) : {}).filter(
      (name): name is string => typeof name === "string",
    ),
  );

/** `key/info`. `access.faction`: the owner's position grants faction data. */
export const KeyInfo = z
  .object({
    info: z.object({
      user: z.object({ id, faction_id: idOrNone }),
      access: z.object({
        level: z.int().min(0).max(4),
        type: text,
        faction: z
          .boolean()
          .nullish()
          .transform((granted) => granted ?? false),
      }),
      selections: orNone(z.record(z.string(), selectionNames)),
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
