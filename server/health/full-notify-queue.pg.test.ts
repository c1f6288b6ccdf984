import { eq, sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { migrate } from "#db/migrate";
import { eventInbox, events } from "#db/schema/events";
import { revokeConsents } from "#server/oauth/consents/consent-acts";
import { listConsents } from "#server/oauth/consents/list-consents";
import { patientDeadline } from "#server/testing/database";
import { mintApplication, mintCode, postToken, redemption } from "#server/testing/oauth-world";
import { startPostgres } from "#server/testing/postgres";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { concernsOf } from "./overview";
import { readHealth } from "./read-health";

const server = await startPostgres({ settings: ["max_notify_queue_pages=64"] });
const url = server.url("postgres");
const open = () => openPostgres({ url, deadline: patientDeadline });
const databases = [open(), open()] as const;
await migrate(databases[0]);
const settings = { tokenCache: true };
const here = await testContext({ database: databases[0], settings });
const there = await testContext({ database: databases[1], settings, beside: here });
const { ctx } = here;
/** Another program's session that listens inside a transaction. */
const stranger = postgres(url, { max: 1 });
afterAll(async () => {
  await stranger.end({ timeout: 1 });
  for (const database of databases) await database.close();
  await server.stop();
});

beforeAll(async () => {
  await stranger.unsafe("listen elsewhere");
  await stranger.unsafe("begin; select 1");
  // 64 pages of 8 KB, and each message needs nearly one.
  const fill = async () => {
    for (let sent = 0; sent < 100; sent++)
      await databases[0].query.execute(sql`select pg_notify('elsewhere', ${"x".repeat(7_900)})`);
  };
  await expect(fill()).rejects.toMatchObject({ cause: { code: "54000" } });
});

async function tokens() {
  const app = await mintApplication(ctx, await mintUser(ctx));
  const user = await mintUser(ctx);
  const reply = await postToken(ctx, app, redemption(app, await mintCode(ctx, app, { user })));
  return { user, token: ((await reply.json()) as { access_token: string }).access_token };
}

test("with a full NOTIFY queue a consent is revoked, its tokens end here at once and elsewhere within a second, and its event is numbered", async () => {
  const { user, token } = await tokens();
  for (const each of [ctx, there.ctx]) expect(await each.tokens.authenticate(token)).toBeDefined();
  const [consent] = await listConsents(ctx, user);
  await revokeConsents(ctx, user, { consentIds: [consent?.consentId ?? ""] });
  expect(await ctx.tokens.authenticate(token)).toBeUndefined();
  here.clock.advance(1);
  expect(await there.ctx.tokens.authenticate(token)).toBeUndefined();
  await ctx.events.sequencer.run();
  const { query } = ctx.database;
  expect(await query.select().from(eventInbox)).toEqual([]);
  expect(await query.select().from(events).where(eq(events.type, "grant.ended"))).toHaveLength(1);
});

test("health and the log say that hints fail, until they are sent again", async () => {
  const health = await readHealth(ctx);
  expect(health).toMatchObject({ status: "ready", hints: { status: "failing" } });
  expect(health.hints.queue).toBeGreaterThan(0.9);
  expect(concernsOf(health, []).map(({ sentence }) => sentence)).toContainEqual(
    expect.stringContaining("NOTIFY queue"),
  );
  expect(here.log.lines.map(({ message }) => message)).toContainEqual(
    expect.stringContaining("refuses NOTIFY"),
  );
  await stranger.unsafe("commit");
  const sent = async () => {
    ctx.database.notify(ctx.database.query, "elsewhere", "");
    return (await readHealth(ctx)).hints.status;
  };
  await expect.poll(sent).toBe("ok");
});
