import type { Database } from "#db/client";
import { membersPerFaction } from "./fill-players";
import { uuid } from "./row-names";

/** Chat ids are 64-bit numbers far above what a double holds. */
const snowflakes = "100000000000000000";

/** What factions have: positions, a chat server, hits to answer, organized crimes with slots and delays, vault requests. */
export async function fillFactions(
  database: Database,
  { players, now }: { players: number; now: Date },
) {
  const factions = Math.max(1, Math.floor(players / membersPerFaction));
  const at = `'${now.toISOString()}'::timestamptz`;
  /** A member of faction f by place, 0 … 99; place 0 leads. */
  const member = (f: string, place: string) =>
    `case when ${f} = 1 then ${factions} else ${f} - 1 end + ${factions} * (${place})`;
  await database.script(`
    update factions set last_refresh = ${at} - random() * interval '1 hour', members_refreshed = ${at} - random() * interval '1 hour',
      last_attempt = ${at} - random() * interval '6 minutes', positions_attempt = ${at} - random() * interval '1 hour',
      attacks_attempt = ${at} - random() * interval '1 minute', crimes_attempt = ${at} - random() * interval '5 minutes',
      positions_refreshed = ${at} - random() * interval '1 hour', leader_id = ${member("id", "0")},
      chat_server_id = ${snowflakes} + id;

    insert into chat_servers (id, name, last_refresh, admin_ids)
      select ${snowflakes} + f, 'Server ' || f, ${at} - random() * interval '1 hour', array[${snowflakes} + ${member("f", "0")}]
      from generate_series(1, ${factions}) f;
    insert into chat_server_factions (server_id, faction_id, banking_channel_id, banking_role_ids)
      select ${snowflakes} + f, f, ${snowflakes} + f, '{}' from generate_series(1, ${factions}) f;

    insert into faction_positions (id, faction_id, name, is_default, abilities, last_seen)
      select ${uuid("'position ' || f || ' ' || rank")}, f, 'Rank ' || rank, rank = 0,
        case when rank = 0 then '{}' else '{"Organised Crimes","Item Giving"}' end::text[], ${at}
      from generate_series(1, ${factions}) f, generate_series(0, 4) rank;

    insert into retaliations (code, faction_id, attack_ended, defender_id, defender_name, attacker_id, attacker_name, answered_at)
      select md5('hit ' || f || ' ' || hit), f, ${at} - hit * hit * interval '3 minutes', ${member("f", "hit % 3")}, 'Defender',
        1 + (f * 7919 + hit) % ${players}, 'Attacker', case when hit % 4 = 3 then ${at} end
      from generate_series(1, ${factions}) f, generate_series(0, 19) hit;

    insert into organized_crimes (id, faction_id, name, last_seen)
      select n, 1 + n % ${factions}, 'Crime ' || n % 20,
        ${at} - (1 - n / ${players / 2}.0) * interval '88 days'
      from generate_series(1, ${players / 2}) n;
    insert into organized_crime_delays (crime_id, slot, player_id, faction_id, position, position_index, reason, seen_at)
      select n, 'P' || place, ${member(`1 + n % ${factions}`, "place")}, 1 + n % ${factions}, 'Robber', place, 'Travelling', ${at}
      from generate_series(1, ${players / 2}) n, generate_series(1, 2) place;
    insert into crime_types (name, difficulty, last_seen) select 'Crime ' || n, 1 + n % 10, ${at} from generate_series(0, 19) n;

    insert into vault_requests (guid, faction_id, player_id, amount, currency, status, requested_at, expires_at, closed_at, closed_by, verification)
      select ${uuid("'request ' || n")}, f, ${member("f", `n / ${factions} % ${membersPerFaction}`)}, 1000 + n % 100000, 'money_balance',
        case when n > ${players * 0.98} then 'pending' when n % 5 = 0 then 'cancelled' else 'fulfilled' end,
        ${at} - (1 - n / ${players}.0) * interval '300 days',
        case when n % 3 > 0 then ${at} + (n % 1000 + 1) * interval '1 hour' end,
        case when n <= ${players * 0.98} then ${at} - (1 - n / ${players}.0) * interval '299 days' end, ${member("f", "0")},
        case when n > ${players * 0.98} or n % 5 = 0 then null when n > ${players * 0.97} then 'waiting' else 'verified' end
      from (select n, 1 + n % ${factions} as f from generate_series(1, ${players}) n) asked;
    update vault_requests set closed_by = null where status = 'pending';
  `);
}
