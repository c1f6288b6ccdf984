import { describe, expect, test } from "vitest";
import { requestLog } from "#db/schema/operations";
import { createOperator, type PortalUser } from "#server/actor";
import { suspendApplication } from "#server/admin/applications";
import { UnknownOAuthClient } from "#server/failures";
import { testDatabase } from "#server/testing/database";
import { mintApplication, mintTokens } from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { deleteApplication } from "../clients/application-acts";
import { revokeAllConsents } from "./consent-acts";
import { listConsents, showApplicationActivity } from "./list-consents";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const owner = await mintUser(ctx);
const app = await mintApplication(ctx, owner, { name: "One" });
const second = await mintApplication(ctx, owner, { name: "Two" });
const unknown = { kind: { code: UnknownOAuthClient.code } };

interface Line {
  readonly user: PortalUser;
  readonly at: string;
  readonly route?: string;
  readonly status?: number;
  readonly clientId?: string;
}

const log = ({ user, at, route = "/api/v1/user", status = 200, clientId = app.clientId }: Line) =>
  ctx.database.query.insert(requestLog).values({
    at: new Date(at),
    requestId: "r",
    method: "GET",
    route,
    status,
    accountId: user.accountId,
    clientId,
    micros: 1,
  });

async function player() {
  clock.advance(60);
  const user = await mintUser(ctx);
  await mintTokens(ctx, app, { user });
  return user;
}

test("players see that an application is suspended, not the reason that its team reads", async () => {
  const user = await mintUser(ctx);
  const suspended = await mintApplication(ctx, owner, { name: "Three" });
  const { clientId } = suspended;
  await mintTokens(ctx, suspended, { user });
  await suspendApplication(ctx, createOperator(ctx), { clientId, reason: "Nia reported it." });
  const views = [await listConsents(ctx, user), await showApplicationActivity(ctx, user, clientId)];
  expect(views).toMatchObject([
    [{ application: { suspended: true } }],
    { application: { clientId } },
  ]);
  expect(JSON.stringify(views)).not.toContain("Nia");
});

describe("what an application did", () => {
  test("PT-24: has each day and endpoint of the last 30 days, in this player's name and by this application alone", async () => {
    const user = await player();
    await mintTokens(ctx, second, { user });
    await log({ user, at: "2026-03-01T00:00:01Z" });
    await log({ user, at: "2026-03-01T11:00:00Z", status: 403 });
    await log({ user, at: "2026-02-28T23:59:59Z", route: "/api/v1/<int:faction_id>/members" });
    await log({ user, at: "2026-01-31T00:00:00Z" });
    await log({ user, at: "2026-01-30T23:59:59Z" });
    await log({ user, at: "2026-03-01T10:00:00Z", clientId: second.clientId });
    await log({ user: await player(), at: "2026-03-01T10:00:00Z" });

    const activity = await showApplicationActivity(ctx, user, app.clientId);
    expect(activity).toMatchObject({
      application: { name: "One" },
      deleted: false,
      consent: { paused: false },
    });
    expect([activity.days.length, activity.days[0], activity.days.at(-1)]).toEqual([
      30,
      new Date("2026-01-31T00:00:00Z"),
      new Date("2026-03-01T00:00:00Z"),
    ]);
    const common = { method: "GET", refused: 0 };
    const called = { ...common, route: "/api/v1/user" };
    expect(activity.calls).toEqual([
      {
        ...called,
        day: new Date("2026-03-01"),
        calls: 2,
        refused: 1,
        last: new Date("2026-03-01T11:00:00Z"),
      },
      {
        ...common,
        route: "/api/v1/<int:faction_id>/members",
        day: new Date("2026-02-28"),
        calls: 1,
        last: new Date("2026-02-28T23:59:59Z"),
      },
      { ...called, day: new Date("2026-01-31"), calls: 1, last: new Date("2026-01-31T00:00:00Z") },
    ]);
  });

  test("stays readable when the access has ended, and when the application was deleted", async () => {
    const doomed = await mintApplication(ctx, owner, { name: "Doomed" });
    const user = await player();
    await mintTokens(ctx, doomed, { user });
    await log({ user, at: "2026-03-01T10:00:00Z" });
    await revokeAllConsents(ctx, user);
    const ended = await showApplicationActivity(ctx, user, app.clientId);
    expect([ended.consent, ended.calls.length]).toEqual([null, 1]);
    await deleteApplication(ctx, owner, { clientId: doomed.clientId, confirmName: "Doomed" });
    expect(await showApplicationActivity(ctx, user, doomed.clientId)).toMatchObject({
      deleted: true,
      consent: null,
      calls: [],
    });
  });

  test("is not there for an application that the player never let in, nor for what is none", async () => {
    const user = await player();
    for (const clientId of [second.clientId, "0".repeat(32), "nonsense", "__proto__"])
      await expect(showApplicationActivity(ctx, user, clientId)).rejects.toMatchObject(unknown);
  });
});
