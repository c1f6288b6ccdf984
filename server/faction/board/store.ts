import { and, asc, eq, gte, ilike, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { factions, players } from "#db/schema/players";

/** More members than a faction of the game can have. */
const mostMembers = 200;

export interface MemberQuery {
  readonly factionId: number;
  /** As the game names states: "Okay", "Hospital". Undefined: any. */
  readonly state: string | undefined;
  readonly activeSince: Date | undefined;
  /** Only those whose last action is older, or not known. */
  readonly inactiveSince: Date | undefined;
  /** A part of the name. */
  readonly name: string | undefined;
}

/** Present members of a faction as last seen, those who acted last first. */
export function listMembersAsSeen(on: Queryable, asked: MemberQuery) {
  const { factionId, lastAction, name, status } = players;
  const conditions: (SQL | undefined)[] = [
    eq(factionId, asked.factionId),
    asked.state === undefined ? undefined : eq(status, asked.state),
    asked.activeSince && gte(lastAction, asked.activeSince),
    asked.inactiveSince && or(isNull(lastAction), lt(lastAction, asked.inactiveSince)),
    asked.name === undefined ? undefined : ilike(name, `%${asked.name.replace(/[\\%_]/g, "\\$&")}%`),
  ];
  return on
    .select({
      playerId: players.id,
      name,
      level: players.level,
      position: players.positionName,
      lastAction,
      state: status,
    })
    .from(players)
    .where(and(...conditions))
    .orderBy(sql`${lastAction} desc nulls last`, asc(players.id))
    .limit(mostMembers);
}

/** How many members are stored of a faction, and when they were last listed completely. */
export async function countMembers(on: Queryable, factionId: number) {
  const [faction] = await on
    .select({ listedAt: factions.membersRefreshed })
    .from(factions)
    .where(eq(factions.id, factionId));
  const members = await on.$count(players, eq(players.factionId, factionId));
  return { members, listedAt: faction?.listedAt ?? null };
}
