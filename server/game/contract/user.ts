import { z } from "zod";
import { id, idOrNone, instant, LastAction, levelOrNone, Status, text } from "./fields";
import { battleStatsFields, battleStatsRecord, countersOf, personalStatsFields } from "./stats";

/**
 * A chat id is a 64-bit snowflake written as text, and "" for a player who linked none; null and nothing are read as that too.
 * It must fit a signed bigint column.
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
  role: z.string(),
  signed_up: instant,
  status: Status,
  last_action: LastAction,
});

const profileRecord = (profile: z.output<typeof profileFields>) => ({
  playerId: profile.id,
  name: profile.name,
  level: profile.level,
  factionId: profile.faction_id,
  role: profile.role,
  signedUp: profile.signed_up,
  status: profile.status,
  lastAction: profile.last_action,
});

/** `user/profile` */
export const UserProfile = z
  .object({ profile: profileFields })
  .transform(({ profile }) => profileRecord(profile));
export type UserProfile = z.output<typeof UserProfile>;

const discordFields = z.object({ user_id: id, discord_id: chatId });

/** `user/discord` */
export const UserDiscord = z
  .object({ discord: discordFields })
  .transform(({ discord }) => ({ playerId: discord.user_id, chatId: discord.discord_id }));
export type UserDiscord = z.output<typeof UserDiscord>;

const membershipFields = z.object({ id, name: text, tag: text, position: z.string() }).nullable();

const playerFields = z.object({
  profile: profileFields,
  discord: discordFields,
  faction: membershipFields,
});

const playerRecord = ({ profile, discord, faction }: z.output<typeof playerFields>) => ({
  ...profileRecord(profile),
  chatId: discord.discord_id,
  faction: faction && {
    factionId: faction.id,
    name: faction.name,
    tag: faction.tag,
    position: faction.position,
  },
});

/**
 * `user?selections=profile,discord,faction`, and `personalstats` where it is requested: all that we keep of a player, in one call
 * against the owner's budget.
 */
export const Player = playerFields
  .extend({ personalstats: personalStatsFields.nullish() })
  .transform(({ personalstats, ...player }) => ({
    ...playerRecord(player),
    personalStats: personalstats ? { counters: countersOf(personalstats) } : null,
  }));
export type Player = z.output<typeof Player>;

/** The same of the key's owner, with what only their own key tells; null where the answer leaves it out. */
export const OwnPlayer = playerFields
  .extend({
    battlestats: battleStatsFields.nullish(),
    personalstats: personalStatsFields.nullish(),
  })
  .transform(({ battlestats, personalstats, ...player }) => ({
    ...playerRecord(player),
    battleStats: battlestats ? battleStatsRecord(battlestats) : null,
    personalStats: personalstats ? { counters: countersOf(personalstats) } : null,
  }));
export type OwnPlayer = z.output<typeof OwnPlayer>;

/** `key/info`: whose key it is and what it may read. `access.faction` is whether the owner's position grants faction data. */
export const KeyInfo = z
  .object({
    info: z.object({
      user: z.object({ id, faction_id: idOrNone }),
      access: z.object({ level: z.int().min(0).max(4), type: z.string(), faction: z.boolean() }),
      selections: z.record(z.string(), z.array(z.string())),
    }),
  })
  .transform(({ info }) => ({
    playerId: info.user.id,
    factionId: info.user.faction_id,
    level: info.access.level,
    type: info.access.type,
    factionApiAccess: info.access.faction,
    selections: info.selections,
  }));
export type KeyInfo = z.output<typeof KeyInfo>;
