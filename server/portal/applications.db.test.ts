import { describe, expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import {
  applicationInput,
  authorizationQuery,
  mintApplication,
  mintTokens,
  postToken,
  TestBrowser,
} from "#server/testing/oauth-world";
import { portalOf } from "#server/testing/portal-script";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { refusalOf } from "#server/trpc/refusal";
import { applicationsRouter } from "./applications";

const { ctx, clock } = await testContext({ database: await testDatabase() });
const owner = await mintUser(ctx, { name: "Dev" });
const stranger = await mintUser(ctx);
const { kind: _kind, ...changes } = applicationInput();

const callerOf = (user: typeof owner) => portalOf(ctx, user).applications;

type Act = (portal: ReturnType<typeof callerOf>, clientId: string) => Promise<unknown>;

/** Every procedure about one application; new ones must be added. */
const acts: Readonly<Record<string, Act>> = {
  get: (portal, clientId) => portal.get({ clientId }),
  traffic: (portal, clientId) => portal.traffic({ clientId }),
  funnel: (portal, clientId) => portal.funnel({ clientId }),
  firstRun: (portal, clientId) => portal.firstRun({ clientId }),
  calls: (portal, clientId) => portal.calls({ clientId }),
  callsFile: (portal, clientId) => portal.callsFile({ clientId }),
  loggedCall: (portal, clientId) => portal.loggedCall({ clientId, requestId: ctx.ids.request() }),
  failedAttempts: (portal, clientId) => portal.failedAttempts({ clientId }),
  liveGrants: (portal, clientId) => portal.liveGrants({ clientId }),
  update: (portal, clientId) => portal.update({ ...changes, clientId, version: 1, name: "Theirs" }),
  revokeGrant: (portal, clientId) => portal.revokeGrant({ clientId, grantId: ctx.ids.uuid() }),
  revokeAllGrants: (portal, clientId) =>
    portal.revokeAllGrants({ clientId, confirmName: "Test application" }),
  createSecret: (portal, clientId) => portal.createSecret({ clientId, name: "x" }),
  deleteSecret: (portal, clientId) => portal.deleteSecret({ clientId, secretId: ctx.ids.uuid() }),
  secretsSaved: (portal, clientId) => portal.secretsSaved({ clientId }),
  ownToken: (portal, clientId) => portal.ownToken({ clientId }),
  open: (portal, clientId) => portal.open({ clientId }),
  delete: (portal, clientId) => portal.delete({ clientId, confirmName: "Test application" }),
};

test("all procedures about one application are told of here", () => {
  const about = Object.keys(applicationsRouter._def.procedures).filter(
    (name) => !["list", "names", "room", "create"].includes(name),
  );
  expect(Object.keys(acts).sort()).toEqual(about.sort());
});

describe("ID-09: to another developer an application looks like one that does not exist,", () => {
  test.each(Object.keys(acts))("by %s", async (name) => {
    const app = await mintApplication(ctx, owner);
    const { access_token } = await mintTokens(ctx, app, { user: await mintUser(ctx) });
    const act = acts[name];
    const answers = [app.clientId, "0".repeat(32), "nonsense", "' or 1=1 --"].map((clientId) =>
      act?.(callerOf({ ...stranger, confirmedAt: ctx.now() }), clientId).then(
        () => "done",
        (thrown: { code: string; message: string }) => [thrown.code, thrown.message],
      ),
    );
    const [own, ...others] = await Promise.all(answers);
    expect(own).toEqual(["NOT_FOUND", expect.any(String)]);
    for (const other of others) expect(other).toEqual(own);
    expect(await ctx.tokens.authenticate(access_token)).toBeDefined();
    expect(await callerOf(owner).get(app)).toMatchObject({
      name: "Test application",
      secrets: [{}],
    });
  });
});

test("ID-11: nobody makes an application somebody else's, trusted, verified or keyed by a secret of their choice", async () => {
  const portal = callerOf(owner);
  const known = "adj_cs_of_somebodys_choice";
  const planted = {
    owner_id: stranger.accountId,
    ownerId: stranger.accountId,
    clientId: "0".repeat(32),
    client_id: "0".repeat(32),
    trusted: true,
    skip_consent: true,
    skipConsent: true,
    verified: true,
    verifiedAt: new Date(0),
    createdAt: new Date(0),
    secret: known,
    clientSecret: known,
    secret_hash: known,
    secrets: [{ name: known, hash: known }],
  };
  const created = await portal.create({ ...applicationInput({ name: "Planted" }), ...planted });
  expect(created.clientId).not.toBe(planted.clientId);
  const { clientId } = created;
  const before = await portal.get({ clientId });
  await portal.update({
    ...changes,
    name: "Planted",
    ...planted,
    clientId,
    version: 1,
    ...{ kind: "public" },
  });
  expect(await portal.get({ clientId })).toEqual({ ...before, version: 2 });
  expect(before).toMatchObject({
    ownerId: owner.accountId,
    verified: false,
    kind: "confidential",
    secrets: [{}],
  });
  expect((await callerOf(stranger).list()).rows).toEqual([]);

  const app = { ...created, redirectUri: "https://client.test/cb" };
  const token = { grant_type: "refresh_token", refresh_token: "x" };
  expect((await postToken(ctx, { ...app, clientSecret: known }, token)).status).toBe(401);
  expect((await postToken(ctx, app, token)).status).toBe(400);
  const browser = await TestBrowser.signedIn(ctx, await mintUser(ctx));
  const asked = await browser.authorize(authorizationQuery(app));
  expect(new URL(asked.headers.get("location") ?? "").searchParams.has("code")).toBe(false);
});

test("ID-11: a scope that is none, by whatever name, is refused and changes nothing", async () => {
  const app = await mintApplication(ctx, owner);
  const before = await callerOf(owner).get(app);
  for (const scope of ["admin", "faction:*", "*", "service_key", "identity "]) {
    // As sent by an attacker's page.
    const sent = JSON.parse(
      JSON.stringify({ ...changes, clientId: app.clientId, scopes: ["identity", scope] }),
    );
    await expect(callerOf(owner).update(sent)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  }
  expect(await callerOf(owner).get(app)).toEqual(before);
});

test("PT-15: what ends rights or makes a secret wants a confirmation, and does nothing without", async () => {
  const app = await mintApplication(ctx, owner);
  const { access_token } = await mintTokens(ctx, app, { user: await mintUser(ctx) });
  const user = { ...owner, confirmedAt: new Date(ctx.now().getTime() - 7_200_000) };
  for (const name of ["revokeGrant", "revokeAllGrants", "createSecret", "deleteSecret", "delete"]) {
    const refused = await acts[name]?.(callerOf(user), app.clientId).catch(
      (thrown) => refusalOf(thrown).reason,
    );
    expect([name, refused]).toEqual([name, "CONFIRMATION_WANTED"]);
  }
  expect(
    await callerOf(user)
      .create(applicationInput())
      .catch((thrown) => refusalOf(thrown).reason),
  ).toBe("CONFIRMATION_WANTED");
  expect(await ctx.tokens.authenticate(access_token)).toBeDefined();
  expect(await callerOf(user).get(app)).toMatchObject({ secrets: [{}] });
});

test("other redirect URIs want a confirmation, and everything else of an application does not", async () => {
  const app = await mintApplication(ctx, owner);
  const old = callerOf({ ...owner, confirmedAt: new Date(ctx.now().getTime() - 7_200_000) });
  const edit = async (redirectUris: string[]) => {
    const { version } = await callerOf(owner).get(app);
    return { ...changes, clientId: app.clientId, name: "Renamed", redirectUris, version };
  };
  const update = async (redirectUris: string[]) =>
    old.update(await edit(redirectUris)).then(
      () => "done",
      (thrown) => refusalOf(thrown).reason,
    );
  const [known = ""] = changes.redirectUris;
  expect(await update([known])).toBe("done");
  expect(await update([known, "https://client.test/more"])).toBe("CONFIRMATION_WANTED");
  expect(await update(["https://client.test/other"])).toBe("CONFIRMATION_WANTED");
  expect(await callerOf(owner).get(app)).toMatchObject({ name: "Renamed", redirectUris: [known] });
  const fresh = callerOf({ ...owner, confirmedAt: ctx.now() });
  await fresh.update(await edit([known, "https://client.test/more"]));
});

describe("PT-03: a name", () => {
  test.each([
    `<script>alert("1")</script>`,
    `"><img src=x onerror=alert(1)>`,
    "Acme'); drop table applications; --",
    "שלום Bank",
  ])("%j is kept as it was typed, in views, lists and the audit log", async (name) => {
    const { clientId } = await mintApplication(ctx, owner, { name });
    expect((await callerOf(owner).get({ clientId })).name).toBe(name);
    // All others are of the same instant, and more than fit on a page.
    expect((await callerOf(owner).list({ q: clientId })).rows).toMatchObject([{ name }]);
  });

  test.each([
    "A\u200Bdjutant\u200D",
    "Adjutant",
    "Bank ✅",
    "a\u202Eb",
    "a\u2066b",
    "a\nb",
    "a\0b",
    "\u200B\u200D",
    "x\u001b[31m",
  ])("%j would change what stands beside it, and is refused", async (name) => {
    const created = callerOf(owner).create({ ...applicationInput(), name });
    await expect(created).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});

test("a third live secret is refused with a sentence that says what to do; PT-19: none is shown again", async () => {
  const { clientId } = await mintApplication(ctx, owner);
  const portal = callerOf({ ...owner, confirmedAt: ctx.now() });
  const { secret } = await portal.createSecret({ clientId, name: "Spring", livesDays: 90 });
  await expect(portal.createSecret({ clientId, name: "Third" })).rejects.toMatchObject({
    code: "BAD_REQUEST",
    message: expect.stringContaining("Delete one to create another."),
  });
  const seen = JSON.stringify([
    await portal.get({ clientId }),
    await portal.list(),
    await portal.liveGrants({ clientId }),
  ]);
  expect(seen).not.toContain(secret);
  clock.advance(1);
});

test("a stale page that deletes the last live secret is told so, and the secret is kept", async () => {
  const { clientId } = await mintApplication(ctx, owner);
  const { secrets } = await callerOf(owner).get({ clientId });
  const secretId = secrets[0]?.id ?? "";
  const refused = await callerOf(owner)
    .deleteSecret({ clientId, secretId })
    .catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("now the only secret"),
  });
  expect(refusalOf(refused).reason).toBe("ONLY_SECRET");
  expect(await callerOf(owner).get({ clientId })).toMatchObject({ secrets: [{ id: secretId }] });
  await callerOf(owner).deleteSecret({ clientId, secretId, isOnly: true });
  expect(await callerOf(owner).get({ clientId })).toMatchObject({ secrets: [] });
});

test("a secret counts as stored once its developer says so, and a later one does not", async () => {
  const { clientId } = await mintApplication(ctx, owner);
  const portal = callerOf({ ...owner, confirmedAt: ctx.now() });
  const stored = async () =>
    (await portal.get({ clientId })).secrets.map(({ savedAt }) => savedAt !== null);
  expect(await stored()).toEqual([false]);
  await portal.secretsSaved({ clientId });
  clock.advance(1);
  await portal.createSecret({ clientId, name: "Later" });
  expect(await stored()).toEqual([true, false]);
});
