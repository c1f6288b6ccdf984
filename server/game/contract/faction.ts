import { z } from "zod";
import {
  count,
  id,
  idOrNone,
  instant,
  LastAction,
  levelOrNone,
  name,
  Status,
  text,
} from "./fields";
import { type Rows, rowsOf } from "./rows";

export const membersCounted = count.nullish();

export const FactionBasic = z
  .object({
    basic: z.object({
      id,
      name: text,
      leader_id: idOrNone,
      co_leader_id: idOrNone,
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

export const Member = z
  .object({
    id,
    name: text,
    position: name,
    level: levelOrNone,
    last_action: LastAction,
    status: Status,
  })
  .transform((member) => ({
    playerId: member.id,
    name: member.name,
    position: member.position,
    level: member.level,
    lastAction: member.last_action,
    status: member.status,
  }));

export const FactionMembers = z
  .object({ members: rowsOf(Member) })
  .transform(({ members }): Rows<FactionMember> => members);
export type FactionMember = z.output<typeof Member>;

const Position = z
  .object({ name, is_default: z.boolean(), abilities: z.array(name) })
  .transform(({ name, is_default, abilities }) => ({ name, isDefault: is_default, abilities }));

/** `faction/positions`. Unknown abilities grant nothing. */
export const FactionPositions = z
  .object({ positions: rowsOf(Position) })
  .transform(({ positions }): Rows<FactionPosition> => positions);
export type FactionPosition = z.output<typeof Position>;

/** May be negative. */
const balance = z.int();

const MemberBalance = z
  .object({ id, username: text, money: balance, points: balance })
  .transform(({ id, username, money, points }) => ({
    playerId: id,
    name: username,
    money,
    points,
  }));

export const FactionBalance = z
  .object({
    basic: z.object({ id, members: membersCounted }),
    balance: z.object({ members: rowsOf(MemberBalance) }),
  })
  .transform(({ basic, balance }) => ({
    factionId: basic.id,
    membersCounted: basic.members,
    members: balance.members,
  }));
export type FactionBalance = z.output<typeof FactionBalance>;

const NewsRow = z
  .object({ id: z.union([z.string().min(1), count]), text: z.string(), timestamp: instant })
  .transform(({ id, text, timestamp }) => ({ newsId: String(id), text, at: timestamp }));

/** `faction?selections=news,basic`. The text is HTML from the game: escape it before display. */
export const FactionNews = z
  .object({ basic: z.object({ id }), news: rowsOf(NewsRow) })
  .transform(({ basic, news }) => ({ factionId: basic.id, news }));
export type FactionNews = z.output<typeof FactionNews>;
export type NewsItem = FactionNews["news"][number];
