import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { applications } from "#db/schema/oauth";
import { auditLog } from "#db/schema/operations";
import { verifyApplication } from "#server/admin/applications";
import { isPortalRefusal } from "#server/portal-refusal";
import { applicationInput, mintApplication } from "#server/testing/oauth-world";
import { twoInstances } from "#server/testing/two-instances";
import { mintUser } from "#server/testing/world";
import { registerApplication, updateApplication } from "./application-acts";
import { showApplication } from "./own-applications";

const { here, there } = await twoInstances();
const { ctx } = here;
const instances = [here.ctx, there.ctx];
const on = ctx.database.query;
const admin = { ...(await mintUser(ctx)), admin: true };
const owner = await mintUser(ctx);
const { kind: _kind, ...settings } = applicationInput();
const instance = (index: number) => instances[index % instances.length] ?? ctx;

describe("edits of one application from two instances", () => {
  test("of ten that began with the same version one is saved whole, and the others are told", async () => {
    const { clientId } = await mintApplication(ctx, owner);
    const names = Array.from({ length: 10 }, (_, index) => `Name ${index}`);
    const outcomes = await Promise.allSettled(
      names.map((name, index) => {
        const edit = {
          ...settings,
          clientId,
          version: 1,
          name,
          redirectUris: [`https://client.test/${index}`],
        };
        return updateApplication(instance(index), owner, edit);
      }),
    );
    const winner = outcomes.findIndex(({ status }) => status === "fulfilled");
    for (const [at, outcome] of outcomes.entries())
      expect(outcome).toMatchObject(
        at === winner ? { value: { version: 2 } } : { reason: { reason: "APPLICATION_CHANGED" } },
      );
    expect(await showApplication(there.ctx, owner, clientId)).toMatchObject({
      name: names[winner],
      redirectUris: [`https://client.test/${winner}`],
      version: 2,
    });
  });

  test("a tab that was opened before cannot bring a removed redirect URI or scope back", async () => {
    const app = await mintApplication(ctx, owner, {
      redirectUris: ["https://client.test/cb", "https://lost.test/cb"],
    });
    const { clientId } = app;
    const stale = await showApplication(there.ctx, owner, clientId);
    const cleaned = { ...settings, clientId, version: 1, scopes: ["identity" as const] };
    expect(await updateApplication(ctx, owner, cleaned)).toEqual({ version: 2 });
    for (const context of instances) {
      const { version, redirectUris, scopes } = stale;
      const again = { ...settings, clientId, version, redirectUris, scopes, name: "Stale" };
      await expect(updateApplication(context, owner, again)).rejects.toMatchObject({
        reason: "APPLICATION_CHANGED",
      });
    }
    expect(await showApplication(there.ctx, owner, clientId)).toMatchObject({
      name: settings.name,
      redirectUris: ["https://client.test/cb"],
      scopes: ["identity"],
    });
  });
});

describe("the mark of an admin", () => {
  const verified = async (clientId: string) =>
    (await showApplication(there.ctx, owner, clientId)).verified;
  const verify = (clientId: string, version: number) =>
    verifyApplication(there.ctx, admin, { clientId, version, verified: true });

  test.each([
    ["name", { name: "Other" }],
    ["redirectUris", { redirectUris: ["https://client.test/other"] }],
    ["redirectUris", { redirectUris: ["https://client.test/cb", "https://client.test/other"] }],
    ["scopes", { scopes: ["identity"] }],
    ["clientUri", { clientUri: "https://other.test/" }],
    ["tosUri", { tosUri: "https://client.test/other" }],
    ["privacyUri", { privacyUri: "https://client.test/other" }],
  ] as const)(
    "goes with a change of %s, in the same write, and the audit log says why",
    async (field, change) => {
      const { clientId } = await mintApplication(ctx, owner);
      await verify(clientId, 1);
      expect(await verified(clientId)).toBe(true);
      const edit = { ...settings, ...structuredClone(change) } as typeof settings;
      await updateApplication(ctx, owner, { ...edit, clientId, version: 2 });
      expect(await verified(clientId)).toBe(false);
      const events = await on.select().from(auditLog).where(eq(auditLog.clientId, clientId));
      expect(events.find(({ act }) => act === "application.unverified")).toMatchObject({
        actor: `account:${owner.accountId}`,
        details: { changed: [field] },
      });
      expect(await verify(clientId, 3)).toBe("done");
      expect(await verified(clientId)).toBe(true);
    },
  );

  test("stays where nothing of what was verified changes", async () => {
    const { clientId } = await mintApplication(ctx, owner, {
      redirectUris: ["https://a.test/", "https://b.test/"],
    });
    await verify(clientId, 1);
    const same = {
      ...settings,
      redirectUris: ["https://b.test/", "https://a.test/"],
      clientId,
      version: 2,
    };
    const reworded = {
      ...same,
      privacy: { ...settings.privacy, use: "Shown to you." },
      optionalScopes: settings.scopes,
    };
    expect(await updateApplication(ctx, owner, reworded)).toEqual({ version: 3 });
    expect(await verified(clientId)).toBe(true);
  });

  test("is never given to what the admin has not seen, however the two meet", async () => {
    for (let round = 0; round < 20; round++) {
      const { clientId } = await mintApplication(ctx, owner);
      const name = `Renamed ${round}`;
      const [edit, decision] = await Promise.all([
        updateApplication(ctx, owner, { ...settings, clientId, version: 1, name }).catch(
          (thrown: unknown) => {
            if (!isPortalRefusal(thrown, "APPLICATION_CHANGED")) throw thrown;
          },
        ),
        verify(clientId, 1),
      ]);
      const [row] = await on.select().from(applications).where(eq(applications.clientId, clientId));
      const won = edit !== undefined;
      expect([decision, row?.name, row?.verifiedAt !== null]).toEqual(
        won ? ["outdated", name, false] : ["done", settings.name, true],
      );
    }
  });
});

test("of 60 registrations at once from two instances a developer gets 50", async () => {
  const developer = await mintUser(ctx);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, (_, index) =>
      registerApplication(instance(index), developer, applicationInput({ name: `App ${index}` })),
    ),
  );
  const refused = outcomes.flatMap((outcome) =>
    outcome.status === "rejected" ? [outcome.reason] : [],
  );
  expect(refused).toHaveLength(10);
  for (const reason of refused)
    expect(reason).toMatchObject({
      name: "GeneralError",
      message: expect.stringMatching(/Delete one/),
    });
  expect(await on.$count(applications, eq(applications.ownerId, developer.accountId))).toBe(50);
  expect(
    await registerApplication(ctx, owner, applicationInput({ name: "One more" })),
  ).toHaveProperty("clientId");
});
