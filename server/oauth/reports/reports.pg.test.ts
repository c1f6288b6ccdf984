import { and, eq, isNull } from "drizzle-orm";
import { expect, test } from "vitest";
import { applicationReports } from "#db/schema/oauth";
import { players } from "#db/schema/players";
import { deleteAccount } from "#server/account/account-acts";
import { createOperator, type PortalUser } from "#server/actor";
import { closeReports } from "#server/admin/applications";
import { mintApplication, mintTokens } from "#server/testing/oauth-world";
import { twoInstances } from "#server/testing/two-instances";
import { mintUser } from "#server/testing/world";
import { reportApplication } from "./report-acts";

const { here, there } = await twoInstances();
const { ctx, clock } = here;
const on = ctx.database.query;
const rounds = 12;

async function world() {
  clock.advance(60);
  const { clientId, ...app } = await mintApplication(ctx, await mintUser(ctx));
  const player = await mintUser(ctx);
  await mintTokens(ctx, { clientId, ...app }, { user: player });
  return { clientId, player };
}
const openOf = (clientId: string) =>
  on.$count(
    applicationReports,
    and(eq(applicationReports.clientId, clientId), isNull(applicationReports.closedAt)),
  );
const report = (on: typeof ctx, player: PortalUser, clientId: string, text: string) =>
  reportApplication(on, player, { clientId, reason: "other", text });

test("several reports of one player at once leave one open report", async () => {
  for (let round = 0; round < rounds; round++) {
    const { clientId, player } = await world();
    await Promise.all([
      ...["a", "b"].map((text) => report(ctx, player, clientId, text)),
      ...["c", "d"].map((text) => report(there.ctx, player, clientId, text)),
    ]);
    expect(await openOf(clientId)).toBe(1);
  }
});

test("of reports of five applications at once, after nine within a day, one is taken", async () => {
  for (let round = 0; round < 4; round++) {
    clock.advance(60);
    const [player, owner] = [await mintUser(ctx), await mintUser(ctx)];
    const apps: string[] = [];
    for (let n = 0; n < 14; n++) {
      const app = await mintApplication(ctx, owner);
      await mintTokens(ctx, app, { user: player });
      apps.push(app.clientId);
    }
    const at = ctx.now();
    await on.insert(applicationReports).values(
      apps.slice(0, 9).map((clientId) => ({
        ...{ id: ctx.ids.uuid(), clientId, accountId: player.accountId },
        ...{ reason: "other" as const, text: "", createdAt: at, reportedAt: at },
      })),
    );
    const outcomes = await Promise.allSettled(
      apps
        .slice(9)
        .map((clientId, index) => report(index % 2 ? ctx : there.ctx, player, clientId, "")),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  }
});

test("a report that changes while it is closed is open afterwards or was closed as it was", async () => {
  for (let round = 0; round < rounds; round++) {
    const { clientId, player } = await world();
    await report(ctx, player, clientId, "Before.");
    const until = ctx.now();
    clock.advance(1);
    const close = { clientId, until, outcome: "dismissed", reason: "None." } as const;
    await Promise.allSettled([
      closeReports(ctx, createOperator(ctx), close),
      report(there.ctx, player, clientId, "After."),
    ]);
    const rows = await on
      .select({ text: applicationReports.text, closedAt: applicationReports.closedAt })
      .from(applicationReports)
      .where(eq(applicationReports.clientId, clientId));
    expect(rows.filter(({ closedAt }) => closedAt === null)).toEqual([
      { text: "After.", closedAt: null },
    ]);
    expect(rows.filter(({ closedAt }) => closedAt).map(({ text }) => text)).toEqual(
      rows.length === 2 ? ["Before."] : [],
    );
  }
});

test("reports that are closed while a reporter's account is deleted: both acts end whole", async () => {
  for (let round = 0; round < rounds; round++) {
    const { clientId, player } = await world();
    await report(ctx, player, clientId, "");
    const [row] = await on.select().from(players).where(eq(players.id, player.playerId));
    const close = { clientId, until: ctx.now(), outcome: "acted_on", reason: "Done." } as const;
    const [closed, deleted] = await Promise.allSettled([
      closeReports(ctx, createOperator(ctx), close),
      deleteAccount(there.ctx, player, { confirmName: row?.name ?? "" }),
    ]);
    expect(deleted.status).toBe("fulfilled");
    expect(closed.status === "rejected" ? closed.reason.name : "done").toMatch(
      /^(done|GeneralError)$/,
    );
  }
});
