import type { Database } from "#db/client";
import { jobs } from "#server/jobs/list";
import { clientOf } from "./fill-accounts";
import * as name from "./row-names";

const counters = `jsonb_build_object('xanax', n % 3000, 'energyRefills', n % 900, 'energyDrinks', n % 4000, 'statEnhancers', n % 300,
  'bestDamage', n % 9000, 'donatorDays', n % 3000, 'networth', n * 1000, 'attacksWon', n % 5000, 'attacksLost', n % 500,
  'defendsWon', n % 800, 'timeActive', n % 90000, 'bestStreak', n % 400, 'boosters', n % 700, 'overdoses', n % 9, 'awards', n % 500,
  'jobTrains', n % 400, 'highestBeaten', n % 100, 'warHits', n % 900, 'respect', n % 90000, 'elo', 1000 + n % 2000)`;
/** Scattered over all players, each as often as the others. */
const somebody = (players: number) => `1 + (n::bigint * 7919 % ${players})::int`;
/** A job of each half minute for two weeks. */
const runsOfAJob = 40_000;

/** What gathers with use: logs, stats of players, messages to the chat, budgets and runs of jobs. */
export async function fillRecords(
  database: Database,
  { players, now }: { players: number; now: Date },
) {
  const at = `'${now.toISOString()}'::timestamptz`;
  const everyPlayer = `from generate_series(1, ${players}) n`;
  const ageing = (rows: number, days: number) =>
    `${at} - (1 - n / ${rows}.0) * interval '${days} days'`;
  const jobNames = jobs.map((job) => `'${job.name}'`).join(", ");
  await database.script(`
    insert into request_log (at, request_id, method, route, status, failure_code, account_id, client_id, address, micros)
      select ${ageing(3 * players, 30)}, 'request-' || n, 'GET', '/user', case when n % 20 = 0 then 403 else 200 end, null, ${name.account("p")},
        ${clientOf("p")}, '192.0.2.1', 1000 + n % 5000
      from (select n, ${somebody(players)} as p from generate_series(1, ${3 * players}) n) calls;
    insert into audit_log (at, act, actor, account_id, client_id, request_id, address, details)
      select ${ageing(2 * players, 90)}, (array['consent.shown', 'consent.approved', 'token.issued', 'token.refreshed'])[1 + (n + n / ${players}) % 4],
        'client', ${name.account("p")}, ${clientOf("p")}, 'request-' || n, '192.0.2.1', '{}'
      from (select n, ${somebody(players)} as p from generate_series(1, ${2 * players}) n) events;
    insert into idempotency_records (account_id, client_id, key, request_hash, status, body, created_at)
      select ${name.account("n")}, ${clientOf("n")}, 'key ' || n, 'hash', 200, '{}', ${at} - random() * interval '1 day' ${everyPlayer} where n % 10 = 0;
    insert into job_runs (id, job, slot, started_at, lease_until, finished_at, outcome, counts)
      select job || ':' || n, job, slot, slot, slot, slot, 'done', '{"left": 0}'
      from unnest(array[${jobNames}]) job, generate_series(1, ${runsOfAJob}) n, lateral (select ${at} - n * interval '30 seconds' as slot) s;
    insert into game_budgets (player_id, slot, used) select n, date_trunc('minute', ${at} - random() * interval '1 hour'), 7 ${everyPlayer} where n % 1000 = 0;

    insert into battle_stats (player_id, strength, defense, speed, dexterity, score, at)
      select n, s * s / 16, s * s / 16, s * s / 16, s * s / 16, s, ${at}
      from (select n, (500 + n % 60000)::bigint as s ${everyPlayer} where n % 2 = 0) own;
    insert into personal_stats (player_id, day, counters, at)
      select n, ((${at} - age) at time zone 'UTC')::date, ${counters}, ${at} - age
      from (select n, random() * interval '14 days' as age ${everyPlayer} where n % 5 in (0, 1)) read;
    insert into stat_entries (visible_to, player_id, score, time_added, sigma, fair_fight, lower_bound, source, attack_code, contributor_id)
      select 0, p, 300 + p % 60000, ${ageing(2 * players, 200)}, 0.005, 2.5, n % 9 = 0, 'fight', 'attack-' || n, ${somebody(players)}
      from (select n, 1 + (n::bigint * 104729 % ${players})::int as p from generate_series(1, ${2 * players}) n) fights where p % 5 < 3;
    insert into stat_estimates (player_id, score, at, stats_at)
      select n, 1000, ${at}, ${at} ${everyPlayer} where n % 5 = 0;

    insert into chat_messages (subject, channel_id, message, version, delivered, message_id, created_at)
      select 'vault-request:' || n, 100000000000000000 + n, '{"text": "A card."}', 2, 2, 100000000000000000 + n,
        ${at} - (1 - n / ${players}.0) * interval '80 days' ${everyPlayer} where n % 2 = 0;
  `);
}
