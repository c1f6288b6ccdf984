import type { Database } from "#db/client";
import { membersPerFaction } from "./fill-players";
import * as name from "./row-names";

/** Applications with so many users each, whatever the size of the world; the rest share all other players. */
export const smallApplications = { count: 100, users: 30 } as const;
const largeApplications = 200;
/** Their developers are the first players, one each. */
export const mostApplications = smallApplications.count + largeApplications;

const allScopes = `'{identity,faction,service_key:usage}'::text[]`;
const words = `'{"data":"Id.","use":"Shown.","retention":"A day.","deletion":"By mail.","sharing":"With nobody."}'::jsonb`;

/** Which application a player let in, as SQL. */
const applicationOf = (player: string): string => {
  const { count, users } = smallApplications;
  return `case when ${player} <= ${count * users} then 1 + ${player} % ${count} else ${count + 1} + ${player} % ${largeApplications} end`;
};
export const clientOf = (player: string): string => name.client(applicationOf(player));

/**
 * Every player has an account with a key, a session and a notice, and let one of 300 applications in: a consent, a grant, a live
 * access token and a chain of two refresh tokens.
 */
export async function fillAccounts(
  database: Database,
  { players, now }: { players: number; now: Date },
) {
  const factions = Math.max(1, Math.floor(players / membersPerFaction));
  const at = `'${now.toISOString()}'::timestamptz`;
  const everyPlayer = `from generate_series(1, ${players}) n`;
  const everyApplication = `from generate_series(1, ${mostApplications}) n`;
  const issued = `${at} - n % 3000 * interval '1 second'`;
  await database.script(`
    insert into accounts (id, player_id, created_at, last_sign_in_at, lends_key, shares_opponent_stats, attacks_attempt, attacks_seen)
      select ${name.account("n")}, n, ${at} - (1 - n / ${players}.0) * interval '300 days', ${at} - random() * interval '30 days', n % 20 = 0,
        n % 3 = 0, case when n % 3 = 0 then ${at} - random() * interval '1 day' end, null ${everyPlayer};
    insert into game_keys (id, account_id, player_id, sealed, key_hmac, last_four, level, type, faction_api_access, state, last_ok_at, created_at)
      select ${name.key("n")}, ${name.account("n")}, n, repeat('s', 80), ${name.hash("'key ' || n")}, right('000' || n, 4),
        case when n % 10 = 0 then 1 else 3 end, 'Limited Access', n <= ${factions},
        case when n > ${factions} and n % 50 = 1 then 'paused' else 'active' end, ${at} - random() * interval '1 hour',
        ${at} - random() * interval '300 days' ${everyPlayer};
    insert into sessions (id_hash, account_id, created_at, authenticated_at, expires_at, address, user_agent)
      select ${name.hash("'session ' || n")}, ${name.account("n")}, ${at}, ${at}, ${at} + (1 + random() * 30) * interval '1 day', '192.0.2.1',
        'A browser of somebody' ${everyPlayer};
    insert into notices (id, account_id, kind, text, created_at, read_at)
      select ${name.uuid("'notice ' || n")}, ${name.account("n")}, 'key-dead', 'A word to the player.', ${at} - random() * interval '90 days',
        case when n % 3 > 0 then ${at} end ${everyPlayer};
    insert into chat_identities (chat_id, account_id, linked_at)
      select 100000000000000000 + n, ${name.account("n")}, ${at} ${everyPlayer} where n % 2 = 0;

    insert into applications (client_id, owner_id, kind, name, redirect_uris, scopes, client_uri, tos_uri, privacy_uri, privacy, created_at, updated_at)
      select ${name.client("n")}, ${name.account("n")}, 'confidential', 'Application ' || n, '{https://client.test/cb}', ${allScopes},
        'https://client.test/', 'https://client.test/terms', 'https://client.test/privacy', ${words}, ${at}, ${at} ${everyApplication};
    insert into consents (id, account_id, client_id, scopes, created_at, updated_at)
      select ${name.consent("n")}, ${name.account("n")}, ${clientOf("n")}, ${allScopes}, ${at} - random() * interval '100 days', ${at} ${everyPlayer};
    insert into grants (id, consent_id, client_id, scopes, created_at, absolute_expiry)
      select ${name.grant("n")}, ${name.consent("n")}, ${clientOf("n")}, ${allScopes}, ${at} - random() * interval '90 days', ${at} + random() * interval '90 days' + interval '1 day'
      ${everyPlayer};
    insert into access_tokens (hash, hash_key_id, grant_id, scopes, issued_at, expires_at)
      select ${name.hash("'access ' || n")}, 'scale', ${name.grant("n")}, ${allScopes}, ${issued}, ${issued} + interval '1 day' ${everyPlayer};
    insert into refresh_tokens (hash, hash_key_id, grant_id, issued_at, expires_at, consumed_at, successor_hash)
      select ${name.hash("'used ' || n")}, 'scale', ${name.grant("n")}, ${issued} - interval '1 hour', ${issued} + interval '30 days', ${issued},
        ${name.hash("'refresh ' || n")} ${everyPlayer};
    insert into refresh_tokens (hash, hash_key_id, grant_id, issued_at, expires_at)
      select ${name.hash("'refresh ' || n")}, 'scale', ${name.grant("n")}, ${issued}, ${issued} + interval '30 days' ${everyPlayer};
  `);
}
