import { z } from "zod";

/*
 * The answers of the game's API, version 2, as far as we use them. Fields that we do not use are let through and dropped.
 * Inside the product a record is camelCase, a time is a Date and a chat id a bigint.
 */

const id = z.int().positive();
const count = z.int().nonnegative();

/** The game writes "none" as null or as 0, depending on the selection. */
const idOrNone = count.nullable().transform((value) => (value === 0 ? null : value));

const instant = z.int().transform((seconds) => new Date(seconds * 1000));
const instantOrNever = count.nullable().transform((seconds) => (seconds ? new Date(seconds * 1000) : null));

/** A chat id is a 64-bit snowflake written as text, "" for a player who linked none. It must fit a signed bigint column. */
const chatId = z
  .string()
  .regex(/^([1-9][0-9]{0,18})?$/)
  .transform((text) => (text === "" ? null : BigInt(text)))
  .refine((value) => value === null || value < 2n ** 63n);

/** States are open: the game added two in one year, and an unknown one must not stop a refresh. */
const Status = z
  .object({ description: z.string(), state: z.string(), until: instantOrNever })
  .transform(({ description, state, until }) => ({ description, state, until }));

const LastAction = z
  .object({ status: z.string(), timestamp: instantOrNever })
  .transform(({ status, timestamp }) => ({ status, at: timestamp }));

/** Answer of every selection when the game refuses; it comes with HTTP 200. */
export const GameFailure = z.object({ error: z.object({ code: z.int(), error: z.string().optional() }) });

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

const profileFields = z.object({
  id,
  name: z.string().min(1),
  level: count,
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
export const UserProfile = z.object({ profile: profileFields }).transform(({ profile }) => profileRecord(profile));
export type UserProfile = z.output<typeof UserProfile>;

const discordFields = z.object({ user_id: id, discord_id: chatId });

/** `user/discord` */
export const UserDiscord = z
  .object({ discord: discordFields })
  .transform(({ discord }) => ({ playerId: discord.user_id, chatId: discord.discord_id }));
export type UserDiscord = z.output<typeof UserDiscord>;

const membershipFields = z
  .object({ id, name: z.string(), tag: z.string(), position: z.string(), days_in_faction: count })
  .nullable();

/** `user?selections=profile,discord,faction`: all that we keep of a player, in one call against the owner's budget. */
export const Player = z
  .object({ profile: profileFields, discord: discordFields, faction: membershipFields })
  .transform(({ profile, discord, faction }) => ({
    ...profileRecord(profile),
    chatId: discord.discord_id,
    faction: faction && { factionId: faction.id, name: faction.name, tag: faction.tag, position: faction.position },
  }));
export type Player = z.output<typeof Player>;

/** `faction/basic` */
export const FactionBasic = z
  .object({
    basic: z.object({
      id,
      name: z.string().min(1),
      tag: z.string(),
      leader_id: idOrNone,
      co_leader_id: idOrNone,
      members: count,
      capacity: count,
      respect: count,
    }),
  })
  .transform(({ basic }) => ({
    factionId: basic.id,
    name: basic.name,
    tag: basic.tag,
    leaderId: basic.leader_id,
    coLeaderId: basic.co_leader_id,
    members: basic.members,
    capacity: basic.capacity,
    respect: basic.respect,
  }));
export type FactionBasic = z.output<typeof FactionBasic>;

const Member = z
  .object({
    id,
    name: z.string().min(1),
    position: z.string(),
    level: count,
    days_in_faction: count,
    is_in_oc: z.boolean(),
    last_action: LastAction,
    status: Status,
  })
  .transform((member) => ({
    playerId: member.id,
    name: member.name,
    position: member.position,
    level: member.level,
    daysInFaction: member.days_in_faction,
    inOrganizedCrime: member.is_in_oc,
    lastAction: member.last_action,
    status: member.status,
  }));

/** `faction/members` */
export const FactionMembers = z.object({ members: z.array(Member) }).transform(({ members }) => members);
export type FactionMember = z.output<typeof FactionMembers>[number];

const CrimeType = z
  .object({
    name: z.string().min(1),
    description: z.string(),
    difficulty: z.int().min(1),
    slots: z.array(z.object({ name: z.string() })),
  })
  .transform(({ name, description, difficulty, slots }) => ({
    name,
    description,
    difficulty,
    slots: slots.map((slot) => slot.name),
  }));

/** `torn/organizedcrimes`: the kinds of organized crime that exist. */
export const OrganizedCrimeTypes = z
  .object({ organizedcrimes: z.array(CrimeType) })
  .transform(({ organizedcrimes }) => organizedcrimes);
export type OrganizedCrimeType = z.output<typeof OrganizedCrimeTypes>[number];
