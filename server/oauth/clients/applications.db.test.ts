import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { applicationSecrets, applications } from "#db/schema/oauth";
import { auditLog } from "#db/schema/operations";
import { GeneralError, UnknownElement, UnknownOAuthClient } from "#server/failures";
import { testDatabase } from "#server/testing/database";
import { applicationInput, mintApplication, mintTokens } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { deleteApplication, registerApplication, updateApplication } from "./application-acts";
import { ApplicationChanges, ApplicationInput, SecretInput } from "./contract";
import { listApplications, showApplication } from "./own-applications";
import { createSecret, deleteSecret } from "./secrets/secret-acts";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const owner = await mintUser(ctx, { name: "Dev" });
const stranger = await mintUser(ctx);
const failure = (kind: { code: number }) => ({ kind: { code: kind.code } });
const { kind: _kind, ...changes } = applicationInput();

test("a confidential application gets a secret, shown this once; a public one gets none", async () => {
  const conf = await registerApplication(ctx, owner, applicationInput());
  expect(conf).toEqual({
    clientId: expect.stringMatching(/^[0-9a-f]{32}$/),
    clientSecret: expect.stringMatching(/^adj_cs_[0-9A-Za-z]{49}$/),
  });
  const pub = await registerApplication(
    ctx,
    owner,
    applicationInput({ name: "Public", kind: "public", redirectUris: [] }),
  );
  expect(pub.clientSecret).toBeNull();
  for (const { clientId } of [pub, conf])
    expect((await showApplication(ctx, owner, clientId)).hostedCallback).toBe(
      `${ctx.settings.baseUrl}/oauth/${clientId}/callback`,
    );
});

test("PT-19 SC-01: no view, list, event or row has a secret", async () => {
  const { clientId, clientSecret } = await mintApplication(ctx, owner);
  const seen = [
    await showApplication(ctx, owner, clientId),
    await listApplications(ctx, owner),
    await ctx.database.query.select().from(auditLog),
    await ctx.database.query.select().from(applicationSecrets),
    await ctx.database.query.select().from(applications),
  ];
  expect(clientSecret).toBeTruthy();
  expect(
    JSON.stringify(seen, (_key, value) => (typeof value === "bigint" ? String(value) : value)),
  ).not.toContain(clientSecret);
});

test("PT-20: an application has no scopes by default", async () => {
  const { scopes: _scopes, ...input } = applicationInput({ name: "Without scopes" });
  const { clientId } = await registerApplication(ctx, owner, ApplicationInput.parse(input));
  expect((await showApplication(ctx, owner, clientId)).scopes).toEqual([]);
});

test("its owner sees users, tokens and calls", async () => {
  const app = await mintApplication(ctx, owner);
  const player = await mintUser(ctx);
  await mintTokens(ctx, app, { user: player });
  await mintTokens(ctx, app, { user: player });
  expect((await showApplication(ctx, owner, app.clientId)).figures).toEqual({
    users: { count: 1, more: false },
    tokens: { count: 2, more: false },
    calls: 0,
    errors: 0,
  });
});

describe("ID-09: another developer's application looks like one that does not exist", () => {
  test("to every act, and nothing changes", async () => {
    const { clientId } = await mintApplication(ctx, owner, { name: "Mine" });
    const before = await showApplication(ctx, owner, clientId);
    const secretId = before.secrets[0]?.id ?? "";
    for (const user of [stranger]) {
      const acts = [
        () => showApplication(ctx, user, clientId),
        () => updateApplication(ctx, user, { ...changes, clientId, version: 1, name: "Theirs" }),
        () => deleteApplication(ctx, user, { clientId, confirmName: "Mine" }),
        () => createSecret(ctx, user, { clientId, name: "x", livesDays: null }),
        () => deleteSecret(ctx, user, { clientId, secretId }),
      ];
      for (const act of acts)
        await expect(act()).rejects.toMatchObject(failure(UnknownOAuthClient));
    }
    expect(await showApplication(ctx, owner, clientId)).toEqual(before);
    expect(await listApplications(ctx, stranger)).toMatchObject({ rows: [], count: 0 });
  });

  test.each(["0".repeat(32), "nonsense", "a\0b"])("so does %j", async (clientId) => {
    await expect(showApplication(ctx, owner, clientId)).rejects.toMatchObject(
      failure(UnknownOAuthClient),
    );
    const gone = { clientId, confirmName: "" };
    await expect(deleteApplication(ctx, owner, gone)).rejects.toMatchObject(
      failure(UnknownOAuthClient),
    );
  });
});

test("ID-11: fields that are nobody's to set are ignored", async () => {
  const { clientId } = await mintApplication(ctx, owner);
  const sneaky = {
    owner_id: stranger.accountId,
    ownerId: stranger.accountId,
    verifiedAt: new Date(),
    trusted: true,
  };
  const parsed = ApplicationChanges.parse({
    ...changes,
    ...sneaky,
    kind: "public",
    suspendedAt: null,
  });
  await updateApplication(ctx, owner, { ...parsed, ...sneaky, clientId, version: 1 });
  expect(await showApplication(ctx, owner, clientId)).toMatchObject({
    ownerId: owner.accountId,
    verified: false,
    kind: "confidential",
  });
});

test("a change counts at once, also for tokens already issued", async () => {
  const app = await mintApplication(ctx, owner, { scopes: ["identity", "faction"] });
  const tokens = await mintTokens(ctx, app, {
    user: await mintUser(ctx),
    scopes: ["identity", "faction"],
  });
  const update = {
    ...changes,
    clientId: app.clientId,
    version: 1,
    name: "Renamed",
    scopes: ["identity" as const],
  };
  await updateApplication(ctx, owner, update);
  expect(await showApplication(ctx, owner, app.clientId)).toMatchObject({
    name: "Renamed",
    scopes: ["identity"],
  });
  expect(await ctx.tokens.authenticate(tokens.access_token)).toMatchObject({
    actor: { scopes: ["identity"] },
  });
  await expect(
    updateApplication(ctx, owner, { ...update, redirectUris: [] }),
  ).rejects.toMatchObject(failure(GeneralError));
});

describe("deletion", () => {
  test("BR-16: wants the name, and ends everything at once", async () => {
    const app = await mintApplication(ctx, owner, { name: "Doomed" });
    const tokens = await mintTokens(ctx, app, { user: await mintUser(ctx) });
    const named = (confirmName: string) =>
      deleteApplication(ctx, owner, { clientId: app.clientId, confirmName });
    await expect(named("doomed")).rejects.toMatchObject(failure(GeneralError));
    await named("Doomed");
    expect(await ctx.tokens.authenticate(tokens.access_token)).toBeUndefined();
    expect(await ctx.tokens.findClient(app.clientId)).toBeUndefined();
    await expect(named("Doomed")).rejects.toMatchObject(failure(UnknownOAuthClient));
    const rows = await ctx.database.query
      .select()
      .from(applications)
      .where(eq(applications.clientId, app.clientId));
    expect(rows).toMatchObject([{ name: "Doomed", deletedAt: ctx.now() }]);
  });
});

describe("secrets", () => {
  test("are two at most, so that one can replace the other", async () => {
    const { clientId } = await mintApplication(ctx, owner);
    const add = (name: string) => createSecret(ctx, owner, { clientId, name, livesDays: null });
    const { secretId, secret } = await add("Second");
    expect(secret).toMatch(/^adj_cs_/);
    await expect(add("Third")).rejects.toMatchObject(failure(GeneralError));
    await deleteSecret(ctx, owner, { clientId, secretId });
    clock.advance(1);
    await add("Third");
    const { secrets } = await showApplication(ctx, owner, clientId);
    expect(secrets.map(({ name }) => name)).toEqual(["First secret", "Third"]);
  });

  test("one lives 30, 90 or 365 days by the server's clock, or for ever; one that has expired makes room", async () => {
    const { clientId } = await mintApplication(ctx, owner);
    await createSecret(ctx, owner, { clientId, name: "Short", livesDays: 30 });
    const short = async () =>
      (await showApplication(ctx, owner, clientId)).secrets.find(({ name }) => name === "Short");
    expect((await short())?.expiresAt).toEqual(new Date(ctx.now().getTime() + 30 * 86_400_000));
    clock.advance(30 * 86_400);
    expect((await short())?.state).toBe("expired");
    await createSecret(ctx, owner, { clientId, name: "New", livesDays: null });
    await deleteSecret(ctx, owner, { clientId, secretId: (await short())?.id ?? "" });
    expect(await short()).toBeUndefined();
    for (const livesDays of [0, 31, -30, 1e9, "30"])
      expect(SecretInput.safeParse({ name: "x", livesDays }).success).toBe(false);
  });

  test("the last live one is deleted only by a page that said so; one that has expired does not count", async () => {
    const { clientId } = await mintApplication(ctx, owner);
    await createSecret(ctx, owner, { clientId, name: "Short", livesDays: 30 });
    const { secrets } = await showApplication(ctx, owner, clientId);
    const idOf = (name: string) => secrets.find((secret) => secret.name === name)?.id ?? "";
    // The page was opened while both were live.
    clock.advance(30 * 86_400);
    const first = { clientId, secretId: idOf("First secret") };
    const refused = { reason: "ONLY_SECRET" };
    await expect(deleteSecret(ctx, owner, first)).rejects.toMatchObject(refused);
    await deleteSecret(ctx, owner, { clientId, secretId: idOf("Short") });
    await expect(deleteSecret(ctx, owner, first)).rejects.toMatchObject(refused);
    expect((await showApplication(ctx, owner, clientId)).secrets).toMatchObject([
      { state: "only" },
    ]);
    await deleteSecret(ctx, owner, { ...first, isOnly: true });
    expect((await showApplication(ctx, owner, clientId)).secrets).toEqual([]);
  });

  test("are not for public applications", async () => {
    const { clientId } = await mintApplication(ctx, owner, { kind: "public", redirectUris: [] });
    const secret = createSecret(ctx, owner, { clientId, name: "x", livesDays: null });
    await expect(secret).rejects.toMatchObject(failure(GeneralError));
  });

  test("of another application, or of none, cannot be deleted", async () => {
    const { clientId } = await mintApplication(ctx, owner);
    const other = await mintApplication(ctx, owner);
    const secretId = (await showApplication(ctx, owner, other.clientId)).secrets[0]?.id ?? "";
    for (const id of [secretId, ctx.ids.uuid(), "nonsense"])
      await expect(deleteSecret(ctx, owner, { clientId, secretId: id })).rejects.toMatchObject(
        failure(UnknownElement),
      );
  });
});

test("a developer's applications differ in their names, and none bears the game's", async () => {
  const developer = { ...(await mintUser(ctx)), confirmedAt: ctx.now() };
  const register = (name: string) =>
    registerApplication(ctx, developer, applicationInput({ name }));
  const refused = (message: RegExp) => ({
    details: { errors: [{ field: "name", message: expect.stringMatching(message) }] },
  });
  const { clientId } = await register("Vault Clerk");
  await register("Vault Clerk 2");
  await expect(register(" vault  CLERK")).rejects.toMatchObject(refused(/another application/));
  for (const name of ["Torn", "T o r n", "TОRN"])
    await expect(register(name)).rejects.toMatchObject(refused(/that is the game/));
  await register("Torn Stats");
  const { kind: _kind, ...said } = applicationInput({ name: "Vault Clerk 2" });
  const rename = { ...said, clientId, version: 1 };
  await expect(updateApplication(ctx, developer, rename)).rejects.toMatchObject(
    refused(/another application/),
  );
  // Another developer may use the name, and the same one may save it again.
  await mintApplication(ctx, await mintUser(ctx), { name: "Vault Clerk" });
  const same = { ...rename, name: "Vault Clerk" };
  expect(await updateApplication(ctx, developer, same)).toEqual({ version: 2 });
});
