import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { sessionCookieName } from "#server/auth/cookies";
import { createSession } from "#server/auth/sessions";
import type { Context } from "#server/context";
import { insertSecret } from "#server/oauth/clients/secrets/store";
import { mintSecret } from "#server/platform/secret-text";
import { scopeNames } from "#server/scopes";
import { mostApplications, smallApplications } from "./fill-accounts";
import { membersPerFaction } from "./fill-players";
import { keyOf } from "./game-double";
import { insertAccessToken, insertRefreshToken } from "../insert-tokens";

/** A caller, with the credentials that the filled rows lack. */
export interface Caller {
  readonly playerId: number;
  readonly accountId: string;
  readonly factionId: number | null;
  readonly clientId: string;
  readonly grantId: string;
  accessToken: string;
  /** The newest of its chain. */
  refreshToken: string;
  /** The Cookie header of a signed-in browser. */
  readonly cookie: string;
}

export interface Callers {
  /** Anybody. */
  readonly players: readonly Caller[];
  readonly leaders: readonly Caller[];
  /** The secret of each application. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly smallDevelopers: readonly Caller[];
  /** or one that grows with the world. */
  readonly largeDevelopers: readonly Caller[];
  readonly applicationOf: (developer: Caller) => string;
  /** The player of `adminPlayer`. */
  readonly admin: Caller;
}

const Row = z.object({
  playerId: z.int(),
  accountId: z.string(),
  factionId: z.int().nullable(),
  clientId: z.string(),
  grantId: z.string(),
});
const dayMs = 86_400_000;
const developers = 50;
export const adminPlayer = 2;
const browser = { address: "192.0.2.1", userAgent: "A browser" };
const mint = (ctx: Context, kind: Parameters<typeof mintSecret>[0]) =>
  mintSecret(kind, ctx.ids.bytes);

/** Draws so many players by chance, and as many leaders, and gives them tokens, sessions and keys that open. */
export async function drawCallers(
  ctx: Context,
  { players, many }: { players: number; many: number },
): Promise<Callers> {
  const factions = Math.max(1, Math.floor(players / membersPerFaction));
  const { count } = smallApplications;
  const [admin] = await enable(ctx, [adminPlayer]);
  if (!admin) throw new Error("There is no player for the admin.");
  return {
    players: await enable(ctx, draw(many, Math.max(factions, mostApplications) + 1, players)),
    leaders: await enable(ctx, draw(Math.min(many, factions), 1, factions)),
    secrets: await addSecrets(ctx),
    smallDevelopers: await enable(ctx, draw(developers, 1, count)),
    largeDevelopers: await enable(ctx, draw(developers, count + 1, mostApplications)),
    applicationOf: ({ playerId }) =>
      createHash("md5").update(`application ${playerId}`).digest("hex"),
    admin,
  };
}

function draw(many: number, from: number, to: number): number[] {
  const drawn = new Set<number>();
  while (drawn.size < many) drawn.add(from + Math.floor(Math.random() * (to - from + 1)));
  return [...drawn];
}

async function enable(ctx: Context, playerIds: readonly number[]): Promise<Caller[]> {
  const found = await ctx.database.query.execute(sql`
    select p.id as "playerId", a.id as "accountId", p.faction_id as "factionId", c.client_id as "clientId", g.id as "grantId"
    from players p join accounts a on a.player_id = p.id join consents c on c.account_id = a.id join grants g on g.consent_id = c.id
    where p.id in (${sql.join([...playerIds], sql`, `)})`);
  const callers: Caller[] = [];
  for (const row of z.array(Row).parse([...(found as unknown as Iterable<unknown>)]))
    callers.push(await equip(ctx, row));
  return callers;
}

async function equip(ctx: Context, row: z.output<typeof Row>): Promise<Caller> {
  const on = ctx.database.query;
  const [accessToken, refreshToken] = [mint(ctx, "access"), mint(ctx, "refresh")];
  const now = ctx.now();
  const issued = {
    grantId: row.grantId,
    issuedAt: now,
    expiresAt: new Date(now.getTime() + dayMs),
  };
  await insertAccessToken(on, {
    ...issued,
    print: ctx.keyring.hmac("token", accessToken),
    scopes: scopeNames,
  });
  await insertRefreshToken(on, { ...issued, print: ctx.keyring.hmac("token", refreshToken) });
  const { token } = await createSession(ctx, on, {
    accountId: row.accountId,
    from: browser,
    proof: "game-key",
  });
  const keyId = z
    .array(z.object({ id: z.string() }))
    .parse([
      ...((await on.execute(
        sql`select id from game_keys where player_id = ${row.playerId}`,
      )) as unknown as Iterable<unknown>),
    ])[0]?.id;
  if (keyId) {
    const sealed = ctx.keyring.seal("game-key", keyOf(row.playerId), keyId);
    await on.execute(
      sql`update game_keys set sealed = ${sealed}, state = 'active' where id = ${keyId}`,
    );
  }
  return {
    ...row,
    accessToken,
    refreshToken,
    cookie: `${sessionCookieName(ctx.settings.https)}=${token}`,
  };
}

async function addSecrets(ctx: Context): Promise<Map<string, string>> {
  const secrets = new Map<string, string>();
  const rows = await ctx.database.query.execute(sql`select client_id as id from applications`);
  for (const { id } of z
    .array(z.object({ id: z.string() }))
    .parse([...(rows as unknown as Iterable<unknown>)])) {
    const secret = mint(ctx, "clientSecret");
    const record = {
      id: ctx.ids.uuid(),
      name: "Bench",
      createdAt: ctx.now(),
      createdBy: null,
      lastUsedAt: null,
      savedAt: null,
      expiresAt: null,
    };
    const { hash, keyId } = ctx.keyring.hmac("client-secret", secret);
    await insertSecret(ctx.database.query, { ...record, clientId: id, hash, hashKeyId: keyId });
    secrets.set(id, secret);
  }
  return secrets;
}
