import { z } from "zod";
import {
  count,
  decodedText,
  id,
  instant,
  lastAction,
  name,
  nullableId,
  nullableInstant,
  nullableLevel,
  PlayerStatus,
  smallCount,
} from "./fields";
import { listAnswerSchema, rowsSchemaOf } from "./rows";

const membersCounted = count.nullish();

export const FactionBasic = z
  .object({
    basic: z.object({
      id,
      name: decodedText,
      leader_id: nullableId,
      co_leader_id: nullableId,
      members: membersCounted,
    }),
  })
  .transform(({ basic }) => ({
    factionId: basic.id,
    name: basic.name,
    leaderId: basic.leader_id,
    coLeaderId: basic.co_leader_id,
    members: basic.members,
  }));
export type FactionBasic = z.output<typeof FactionBasic>;

const Member = z
  .object({
    id,
    name: decodedText,
    position: name,
    level: nullableLevel,
    last_action: lastAction,
    status: PlayerStatus,
  })
  .transform(({ id, last_action, ...member }) => ({
    playerId: id,
    lastAction: last_action,
    ...member,
  }));

export const FactionMembers = listAnswerSchema("members", Member);
export type FactionMember = z.output<typeof Member>;

const Position = z
  .object({ name, is_default: z.boolean(), abilities: z.array(name) })
  .transform(({ is_default, ...position }) => ({ ...position, isDefault: is_default }));

/** Unknown abilities grant nothing. */
export const FactionPositions = listAnswerSchema("positions", Position);
export type FactionPosition = z.output<typeof Position>;

/** Negative for a member with debts. */
const balance = z.int();

const MemberBalance = z
  .object({ id, money: balance, points: balance })
  .transform(({ id, ...balances }) => ({ playerId: id, ...balances }));

export const MemberBalances = z
  .object({
    basic: z.object({ id, members: membersCounted }),
    balance: z.object({ members: rowsSchemaOf(MemberBalance) }),
  })
  .transform(({ basic, balance }) => ({
    factionId: basic.id,
    membersCounted: basic.members,
    members: balance.members,
  }));
export type MemberBalances = z.output<typeof MemberBalances>;

const NewsRow = z
  .object({ id: z.union([z.string().min(1), count]), text: z.string(), timestamp: instant })
  .transform(({ id, text, timestamp }) => ({ newsId: String(id), text, at: timestamp }));

/** The text is HTML from the game: escape it before display. */
export const FactionNews = z
  .object({ basic: z.object({ id }), news: rowsSchemaOf(NewsRow) })
  .transform(({ basic, news }) => ({ factionId: basic.id, news }));
export type FactionNews = z.output<typeof FactionNews>;
export type NewsItem = FactionNews["news"][number];

/** "Muscle #2": role and slot. A role with one slot has no number. */
const label = /^(.*?)(?: #([1-9][0-9]?))?$/;

/** `position_info.number` is deprecated; the label has the same value. */
const Slot = z.object({
  position: z.string().nullish(),
  position_info: z
    .object({ id: z.string().nullish(), label: z.string().nullish(), number: smallCount.nullish() })
    .nullish(),
  user: z.object({ id }).nullish(),
});

function slotOf({ position, position_info: info, user }: z.output<typeof Slot>, index: number) {
  const [, role = "", number] = label.exec(info?.label ?? "") ?? [];
  return {
    slot: info?.id || `P${index + 1}`,
    position: position || role,
    positionIndex: info?.number ?? Number(number ?? 1),
    playerId: user?.id ?? null,
  };
}

const CrimeRow = z
  .object({
    id,
    name: decodedText,
    /** Not an enum: unknown states count as not planning. */
    status: z.string(),
    ready_at: nullableInstant,
    slots: z.array(Slot),
  })
  .transform(({ id, ready_at, slots, ...crime }) => ({
    crimeId: id,
    readyAt: ready_at,
    slots: slots.map(slotOf),
    ...crime,
  }));
export type Crime = z.output<typeof CrimeRow>;

/** For a faction on the old crimes the game sends a map by id, which is read as null. */
const crimeList = z.union([
  rowsSchemaOf(CrimeRow),
  z.record(z.string(), z.unknown()).transform(() => null),
]);

export const FactionCrimes = z
  .object({ crimes: crimeList, basic: z.object({ id }) })
  .transform(({ crimes, basic }) => ({ factionId: basic.id, crimes }));

/** Crimes and members as of one moment. */
export const FactionCrimesWithMembers = z
  .object({
    crimes: crimeList,
    members: rowsSchemaOf(Member),
    basic: z.object({ id, members: membersCounted }),
  })
  .transform(({ crimes, members, basic }) => ({
    factionId: basic.id,
    crimes,
    members,
    membersCounted: basic.members,
  }));
