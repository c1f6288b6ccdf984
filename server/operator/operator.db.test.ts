import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { sessions } from "#db/schema/accounts";
import { applicationSecrets } from "#db/schema/oauth";
import { auditLog, jobRuns } from "#db/schema/operations";
import { searchAuditLog } from "#server/audit/read-events";
import { createSession } from "#server/auth/sessions";
import { testDatabase } from "#server/testing/database";
import { mintApplication, mintTokens } from "#server/testing/oauth-world";
import { listOwnNotices } from "#server/testing/own-notices";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { commands, runCommand } from "./run-command";

const adminId = 7;
const database = await testDatabase();
const ended: string[] = [];
const settings = { adminUserIds: [adminId] };
const world = await testContext({ database, settings, endProcess: () => ended.push("this one") });
const { ctx, clock } = world;
const on = database.query;
const why = ["--reason", "Sold what it read."];

async function run(...args: string[]) {
  const said = { out: [] as string[], err: [] as string[], exit: -1 };
  for await (const each of runCommand(ctx, args)) {
    if ("out" in each) said.out.push(each.out);
    else if ("err" in each) said.err.push(each.err);
    else said.exit = each.exit;
  }
  return said;
}
const done = async (...args: string[]) => {
  const { out, err, exit } = await run(...args);
  expect([exit, err]).toEqual([0, []]);
  return out;
};
const newest = async () => (await searchAuditLog(ctx, {})).events[0];
const operators = { by: { kind: "operator" }, address: null };

test("a player is banned and unbanned in the operator's name; without --yes nothing is done", async () => {
  const user = await mintUser(ctx, { name: "Mallory" });
  const { access_token } = await mintTokens(ctx, await mintApplication(ctx, await mintUser(ctx)), {
    user,
  });
  const warned = await run("ban", `${user.playerId}`, ...why);
  expect(warned).toMatchObject({
    exit: 1,
    out: [],
    err: [expect.stringMatching(/^Mallory \[\d+\] would be .* --yes\.$/)],
  });
  expect(await ctx.tokens.authenticate(access_token)).toBeDefined();
  expect(await done("ban", `${user.playerId}`, ...why, "--yes")).toEqual([
    `Mallory [${user.playerId}] is banned.`,
  ]);
  expect(await newest()).toMatchObject({
    act: "account.banned",
    ...operators,
    accountId: user.accountId,
  });
  expect(await ctx.tokens.authenticate(access_token)).toBeUndefined();
  const twice = await run("ban", `${user.playerId}`, ...why, "--yes");
  expect([twice.exit, twice.err]).toEqual([1, ["The account is banned already."]]);
  await done("unban", `${user.playerId}`);
  expect(await newest()).toMatchObject({ act: "account.unbanned", ...operators });
  expect(await ctx.tokens.authenticate(access_token)).toBeDefined();
});

test("an admin cannot be banned, and an unknown player is named", async () => {
  await mintUser(ctx, { id: adminId });
  expect(await run("ban", `${adminId}`, ...why, "--yes")).toMatchObject({
    exit: 1,
    err: [/ADMIN_USER_IDS/],
  });
  expect(await run("unban", "999999999")).toMatchObject({
    exit: 1,
    err: ["Nobody with the number 999999999 has an account here."],
  });
});

test("an application is suspended, resumed, verified as it was looked at, and unverified", async () => {
  const owner = await mintUser(ctx);
  const { clientId } = await mintApplication(ctx, owner, { name: "War Table" });
  await done("suspend", clientId, ...why, "--yes");
  expect(await newest()).toMatchObject({ act: "application.suspended", ...operators, clientId });
  await done("resume", clientId);
  expect(await newest()).toMatchObject({ act: "application.resumed", ...operators });
  const looked = await run("verify", clientId);
  expect(looked).toMatchObject({
    exit: 1,
    out: expect.arrayContaining(["Redirect URIs: https://client.test/cb"]),
  });
  expect(looked.out.at(-1)).toMatch(/--version 1$/);
  expect((await run("verify", clientId, "--version", "2")).exit).toBe(1);
  await done("verify", clientId, "--version", "1");
  expect(await newest()).toMatchObject({ act: "application.verified", ...operators });
  await done("unverify", clientId);
  expect(await newest()).toMatchObject({ act: "application.unverified", ...operators });
});

test("all tokens of an application, or of a player, end; consents stay, and players are told why", async () => {
  const [owner, user, other] = [await mintUser(ctx), await mintUser(ctx), await mintUser(ctx)];
  const [leaky, sound] = [await mintApplication(ctx, owner), await mintApplication(ctx, owner)];
  const mint = async (app: typeof leaky, who: typeof user) =>
    (await mintTokens(ctx, app, { user: who })).access_token;
  const tokens = {
    leaky: await mint(leaky, user),
    others: await mint(leaky, other),
    sound: await mint(sound, user),
  };
  const alive = async () =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(tokens).map(async ([name, token]) => [
          name,
          (await ctx.tokens.authenticate(token)) !== undefined,
        ]),
      ),
    );
  expect(await done("revoke-application", leaky.clientId, ...why, "--yes", "--json")).toEqual([
    JSON.stringify({ clientId: leaky.clientId, players: 2, grants: 2 }),
  ]);
  expect(await alive()).toEqual({ leaky: false, others: false, sound: true });
  expect(await newest()).toMatchObject({
    ...{ act: "grant.revoked_by_admin", ...operators, clientId: leaky.clientId },
    details: { all: true, reason: "Sold what it read." },
  });
  const [notice] = await listOwnNotices(ctx, other);
  expect(notice?.text).toContain("Sold what it read.");
  await done("revoke-player", `${user.playerId}`, ...why, "--yes");
  expect(await alive()).toEqual({ leaky: false, others: false, sound: false });
  expect(await newest()).toMatchObject({
    act: "grant.revoked_by_admin",
    ...operators,
    clientId: sound.clientId,
  });
});

test("jobs are listed and run at once, beside their slots, and never twice at a time", async () => {
  expect((await done("jobs")).join("\n")).toMatch(/^end-vault-requests +waiting +never/m);
  expect(await done("run-job", "end-vault-requests")).toEqual([
    expect.stringMatching(/^end-vault-requests is done\./),
  ]);
  const [row] = await on.select().from(jobRuns).where(eq(jobRuns.job, "end-vault-requests"));
  expect(row).toMatchObject({ outcome: "done", slot: clock.now() });
  const [event] = await on.select().from(auditLog).where(eq(auditLog.act, "job.run"));
  expect(event).toMatchObject({ actor: "operator", details: { name: "end-vault-requests" } });
  clock.advance(1);
  const open = {
    id: "open",
    slot: clock.now(),
    startedAt: clock.now(),
    leaseUntil: sql`now() + interval '5 s'`,
  };
  await on.insert(jobRuns).values({ ...open, job: "end-vault-requests" });
  expect(await run("run-job", "end-vault-requests")).toMatchObject({
    exit: 1,
    err: [/is running already/],
  });
  expect(await run("run-job", "nothing")).toMatchObject({
    exit: 1,
    err: [/^There is no job nothing\./],
  });
});

test("the audit log is written whole, a line of JSON an event, the oldest first, and goes on where it ended", async () => {
  const user = await mintUser(ctx);
  const events = Array.from({ length: 1_001 }, () => ({}));
  await ctx.audit(on, user, "session.opened", events);
  const lines = (await done("audit", "--player", `${user.playerId}`)).map((line) =>
    JSON.parse(line),
  );
  expect(lines).toHaveLength(events.length);
  const ids = lines.map(({ id }) => Number(id));
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
  expect(lines[0]).toMatchObject({
    act: "session.opened",
    actor: `account:${user.accountId}`,
    at: ctx.now().toISOString(),
  });
  const last = JSON.parse((await done("audit")).at(-1) ?? "");
  expect(last).toMatchObject({ act: "audit_log.exported", actor: "operator" });
  const since = await done("audit", "--after", last.id);
  expect(since.map((line) => JSON.parse(line).act)).toEqual(["audit_log.exported"]);
  expect(await run("audit", "--since", "yesterday")).toMatchObject({
    exit: 2,
    err: [/^--since: give a time/],
  });
});

test("what still needs the previous secret is counted, also sign-ins that were not used since", async () => {
  const secrets = ["A", "B"].map(
    (name) => `${name}-tests-alone-use-this-Secret-0123456789-abcdefghij`,
  );
  const own = await testDatabase();
  const start = async (serverSecret?: string, previousServerSecret?: string) => {
    const secrets = { serverSecret, previousServerSecret };
    const started = await testContext({ database: own, settings: secrets, beside: world });
    await started.ctx.settled();
    return started.ctx;
  };
  const said = async (context: typeof ctx) => {
    const lines: unknown[] = [];
    for await (const each of runCommand(context, ["previous-secret"]))
      lines.push(Object.values(each)[0]);
    return lines;
  };
  const [a, b] = secrets;
  const before = await start(a);
  expect(await said(before)).toEqual(["The previous server secret may go: nothing needs it.", 0]);
  const user = await mintUser(before);
  await mintApplication(before, user);
  const session = {
    accountId: user.accountId,
    from: user.from,
    proof: "game-key",
  } as const;
  await createSession(before, own.query, session);
  clock.advance(60);
  const after = await start(b, a);
  expect(await said(after)).toEqual([
    "The previous server secret is still needed: 1 application secrets, 1 sign-ins.",
    1,
  ]);
  await own.query.delete(applicationSecrets);
  await own.query.delete(sessions);
  clock.advance(1);
  await createSession(after, own.query, session);
  expect(await said(after)).toEqual(["The previous server secret may go: nothing needs it.", 0]);
});

test("a process is told to end, by its id", async () => {
  await ctx.settled();
  await ctx.presence.beat();
  const [line = ""] = await done("instances");
  expect(line).toContain(ctx.presence.id);
  expect(await run("drain", "0198c2f4-6a0e-7cc3-9a51-3f1c7e5a2b10", "--yes")).toMatchObject({
    exit: 1,
  });
  await done("drain", ctx.presence.id, "--yes");
  await expect.poll(() => ended).toEqual(["this one"]);
  expect(await newest()).toMatchObject({ act: "instance.ended", ...operators });
});

test("a wrong command line is one sentence and exit code 2; no input is a fault of ours", async () => {
  const wrong = [
    ["frob"],
    ["ban"],
    ["ban", "x", ...why],
    ["ban", "1"],
    ["ban", "1", "2", ...why],
    ["ban", "1", ...why, ...why],
    ["jobs", "--frob"],
  ];
  for (const args of [
    ...wrong,
    ["suspend", "1", ...why],
    ["audit", "--act", "frob"],
    ["backup", "here"],
    ["drain", "1"],
  ])
    expect(await run(...args)).toMatchObject({
      exit: 2,
      out: [],
      err: [expect.stringMatching(/^[^\n]{10,200}$/)],
    });
  const help = (await done("--help"))[0] ?? "";
  for (const { name } of commands) expect(help).toMatch(new RegExp(`^ {2}${name}\\b`, "m"));
  expect((await done("ban", "--help"))[0]).not.toContain("unban");
});
