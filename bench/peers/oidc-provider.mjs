/**
 * oidc-provider on PostgreSQL, as its documentation has one do it: one table of models behind its adapter, and the player that a
 * token names looked up in theirs. Userinfo with a bearer token, and a refresh without rotation. Environment: PEER_DATABASE_URL, PEER_PORT, PEER_TOKENS. Prints the minted tokens as lines
 * "access refresh", then "ready".
 */
import { generateKeyPairSync } from "node:crypto";
import Provider from "oidc-provider";
import postgres from "postgres";

const { PEER_DATABASE_URL = "", PEER_PORT = "0", PEER_TOKENS = "0" } = process.env;
const sql = postgres(PEER_DATABASE_URL, { max: 8, onnotice: () => {} });
await sql`
  create table if not exists oidc_models (
    model text not null, id text not null, payload jsonb not null, grant_id text, expires_at timestamptz, consumed_at timestamptz,
    primary key (model, id)
  )`;
await sql`create index if not exists oidc_models_grant on oidc_models (grant_id)`;
await sql`
  create table if not exists oidc_players (id text primary key, name text not null, chat_id text, faction_id integer)`;
await sql`
  insert into oidc_players values ('1001', 'Peer [1001]', '1111111111111111111', 1) on conflict do nothing`;

class Models {
  constructor(model) {
    this.model = model;
  }
  async upsert(id, payload, expiresIn) {
    const expiresAt = expiresIn ? new Date(Date.now() + expiresIn * 1_000) : null;
    await sql`
      insert into oidc_models (model, id, payload, grant_id, expires_at)
      values (${this.model}, ${id}, ${sql.json(payload)}, ${payload.grantId ?? null}, ${expiresAt})
      on conflict (model, id) do update set payload = excluded.payload, expires_at = excluded.expires_at`;
  }
  async find(id) {
    const [row] = await sql`
      select payload, consumed_at from oidc_models
      where model = ${this.model} and id = ${id} and (expires_at is null or expires_at > now())`;
    return (
      row && {
        ...row.payload,
        ...(row.consumed_at && { consumed: Math.floor(row.consumed_at / 1_000) }),
      }
    );
  }
  async findByUid() {}
  async findByUserCode() {}
  async consume(id) {
    await sql`update oidc_models set consumed_at = now() where model = ${this.model} and id = ${id}`;
  }
  async destroy(id) {
    await sql`delete from oidc_models where model = ${this.model} and id = ${id}`;
  }
  async revokeByGrantId(grantId) {
    await sql`delete from oidc_models where grant_id = ${grantId}`;
  }
}

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const provider = new Provider(`http://127.0.0.1:${PEER_PORT}`, {
  adapter: Models,
  clients: [
    {
      client_id: "peer",
      client_secret: "peer-secret",
      redirect_uris: ["https://peer.example/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "client_secret_basic",
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", kid: "peer" }] },
  cookies: { keys: ["peer"] },
  scopes: ["openid", "offline_access", "identity"],
  claims: { openid: ["sub"], identity: ["name", "chat_id", "faction_id"] },
  rotateRefreshToken: false,
  features: { devInteractions: { enabled: false }, userinfo: { enabled: true } },
  findAccount: async (_ctx, id) => {
    const [player] = await sql`select name, chat_id, faction_id from oidc_players where id = ${id}`;
    return player && { accountId: id, claims: async () => ({ sub: id, ...player }) };
  },
});
const client = await provider.Client.find("peer");
const scope = "openid offline_access identity";
for (let minted = 0; minted < Number(PEER_TOKENS); minted++) {
  const grant = new provider.Grant({ accountId: "1001", clientId: "peer" });
  grant.addOIDCScope(scope);
  const grantId = await grant.save();
  const common = { accountId: "1001", client, grantId, gty: "authorization_code", scope };
  const access = await new provider.AccessToken(common).save();
  const refresh = await new provider.RefreshToken({
    ...common,
    scope: "offline_access identity",
    rotations: 0,
  }).save();
  process.stdout.write(`${access} ${refresh}\n`);
}
provider.listen(Number(PEER_PORT), "127.0.0.1", () => process.stdout.write("ready\n"));
