import { expect, test } from "vitest";
import { deleteApplication } from "#server/oauth/clients/application-acts";
import { testDatabase } from "#server/testing/database";
import { mintApplication } from "#server/testing/oauth-world";
import { listOwnNotices } from "#server/testing/own-notices";
import { mintMember } from "#server/testing/team-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { createSecret, deleteSecret, notifyExpiringSecretsJob } from "./secret-acts";

const { ctx, clock } = await testContext({ database: await testDatabase() });
const work = { budget: 0, signal: new AbortController().signal };
const run = () => notifyExpiringSecretsJob.run(ctx, work);
const day = 86_400;

test("developers are told of a secret that expires 14 days and 2 days ahead, once each, and of no other", async () => {
  const owner = await mintUser(ctx);
  const app = await mintApplication(ctx, owner, { name: "Roll Call" });
  const developer = await mintMember(ctx, app, "developer");
  const viewer = await mintMember(ctx, app, "viewer");
  const { clientId } = app;
  await createSecret(ctx, owner, { clientId, name: "Production", livesDays: 30 });
  const ended = await mintApplication(ctx, owner);
  await createSecret(ctx, owner, { clientId: ended.clientId, name: "Old", livesDays: 30 });
  await deleteApplication(ctx, owner, {
    clientId: ended.clientId,
    confirmName: "Test application",
  });
  const replaced = await mintApplication(ctx, owner);
  const gone = await createSecret(ctx, owner, {
    ...{ clientId: replaced.clientId, name: "Replaced", livesDays: 30 },
  });
  await deleteSecret(ctx, owner, { clientId: replaced.clientId, secretId: gone.secretId });

  const told: (readonly [number, unknown])[] = [];
  for (let days = 0; days <= 31; days++) {
    // Two workers at the same moment.
    const [one, other] = await Promise.all([run(), run()]);
    const count = Number(one.told) + Number(other.told);
    if (count > 0) told.push([days, count]);
    clock.advance(day);
  }
  expect(told).toEqual([
    [16, 1],
    [28, 1],
  ]);
  for (const user of [owner, developer]) {
    const notices = (await listOwnNotices(ctx, user)).filter(
      ({ kind }) => kind === "secret-expiring",
    );
    expect(notices.map(({ text }) => text)).toEqual([
      "The secret “Production” of “Roll Call” expires in 2 days, on 2026-03-31 (TCT). Create a new one and put it in place before then.",
      "The secret “Production” of “Roll Call” expires in 14 days, on 2026-03-31 (TCT). Create a new one and put it in place before then.",
    ]);
    expect(notices[0]?.path).toBe(`/developers/apps/${clientId}/credentials`);
  }
  expect(await listOwnNotices(ctx, viewer)).toEqual([]);
});
