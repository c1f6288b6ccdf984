import { sql } from "drizzle-orm";
import type { Database } from "#db/client";

/** What the scale benchmarks look for in the filled tables. */
export interface FilledWorld {
  readonly players: number;
  /** A member of the last faction, which has imported scores of its own. */
  readonly caller: { readonly playerId: number; readonly factionId: number };
}

export const membersPerFaction = 100;
const importedRows = 5_000;

/**
 * Fills factions, players and their newest stat scores by SQL alone, a million in about a minute: scores log-normal, levels
 * that follow them, three quarters in factions, a fifth silent for a month, a third refreshed lately. The first players lead one each.
 */
export async function fillPlayers(
  database: Database,
  players: number,
  now: Date,
): Promise<FilledWorld> {
  const factions = Math.max(1, Math.floor(players / membersPerFaction));
  const at = sql`${now.toISOString()}::timestamptz`;
  const { query } = database;
  await query.execute(sql`select setseed(0.5)`);
  await query.execute(sql`
    insert into factions (id, name) select n, 'Faction ' || n from generate_series(1, ${factions}::int) n`);
  await query.execute(sql`
    create unlogged table scale_scores as select n as id, exp(8.63 + 1.33 * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())) as score,
      random() as age, random() as draw, random() as place
    from generate_series(1, ${players}::int) n`);
  await query.execute(sql`
    insert into players (id, name, level, faction_id, faction_seen, position_name, faction_api_access, chat_id, status, last_action,
      last_refresh, last_attempt, federal_until)
    select id, 'Player' || id, level, faction, ${at} - random() * interval '1 hour',
      case when faction is null then null when id <= ${factions} then 'Leader' else 'Rank ' || id % 5 end, id <= ${factions},
      100000000000000000 + id, 'Okay',
      ${at} - case when random() < 0.2 then 30 + 300 * random() else 20 * random() ^ 2 end * interval '1 day',
      refreshed, refreshed, case when random() < 0.004 then 'infinity'::timestamptz end
    from (
      select id, greatest(1, least(100, (10 * (ln(score) - 5) + 16 * (random() - 0.5))::int)) as level,
        case when random() < 0.75 or id <= ${factions} then 1 + id % ${factions} end as faction,
        case when random() < 0.35 then ${at} - 21 * random() * interval '1 day'
          when random() < 0.5 then ${at} - 200 * random() * interval '1 day' end as refreshed
      from scale_scores offset 0
    ) born`);
  await query.execute(sql`
    insert into stat_latest (visible_to, player_id, score, time_added, level, draw)
    select 0, p.id, s.score, date_trunc('second', ${at} - 200 * s.age ^ 2 * interval '1 day'), p.level, s.draw
    from scale_scores s join players p on p.id = s.id order by s.place`);
  await query.execute(sql`
    insert into stat_latest (visible_to, player_id, score, time_added, level, draw)
    select ${factions}, p.id, s.score * 1.01, ${at} - 30 * random() * interval '1 day', p.level, random()
    from scale_scores s join players p on p.id = s.id where s.id % ${Math.max(1, Math.floor(players / importedRows))} = 0`);
  await query.execute(sql`drop table scale_scores`);
  await database.script("vacuum analyze");
  return { players, caller: { playerId: factions - 1, factionId: factions } };
}
