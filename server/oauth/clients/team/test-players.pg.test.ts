import { and, eq, isNull } from "drizzle-orm";
import { expect, test } from "vitest";
import { applicationTesters, consents, grants } from "#db/schema/oauth";
import {
  applicationInput,
  authorizationQuery,
  mintApplication,
  mintTokens,
  refresh,
  requestIdOf,
  TestBrowser,
} from "#server/testing/oauth-world";
import { mintMember, testWorld } from "#server/testing/team-world";
import { twoInstances } from "#server/testing/two-instances";
import { mintUser } from "#server/testing/world";
import { decideRequest } from "../../authorize/decide-request";
import { showRequest } from "../../authorize/show-request";
import { openToPlayers, updateApplication } from "../application-acts";
import { mostTestPlayers } from "./rights";
import { addTestPlayer, removeMember, removeTestPlayer } from "./team-acts";

const { here, there } = await twoInstances();
const { ctx, clock } = here;
const on = ctx.database.query;
const rounds = 12;

const settled = async (acts: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(acts)).map((each) =>
    each.status === "fulfilled" ? "done" : String(each.reason.name),
  );
const liveConsents = (clientId: string) =>
  on.$count(consents, and(eq(consents.clientId, clientId), isNull(consents.revokedAt)));
const liveGrants = (clientId: string) =>
  on.$count(grants, and(eq(grants.clientId, clientId), isNull(grants.revokedAt)));

test("of several players added at once to a list of 24 one is added", async () => {
  for (let round = 0; round < 4; round++) {
    clock.advance(60);
    const owner = await mintUser(ctx);
    const { clientId } = await mintApplication(ctx, owner, { clientUri: "" });
    for (let n = 1; n < mostTestPlayers; n++) {
      const { accountId } = await mintUser(ctx);
      await on.insert(applicationTesters).values({ clientId, accountId, addedAt: ctx.now() });
    }
    const added = await Promise.all(Array.from({ length: 5 }, () => mintUser(ctx)));
    const outcomes = await settled(
      added.map(({ playerId }, index) =>
        addTestPlayer(index % 2 ? ctx : there.ctx, owner, { clientId, player: String(playerId) }),
      ),
    );
    expect(outcomes.toSorted()).toEqual([...Array(4).fill("GeneralError"), "done"]);
    const held = eq(applicationTesters.clientId, clientId);
    expect(await on.$count(applicationTesters, held)).toBe(mostTestPlayers);
  }
});

test("the same player added twice at once is on the list once", async () => {
  for (let round = 0; round < rounds; round++) {
    clock.advance(60);
    const { clientId, owner, stranger } = await testWorld(ctx);
    const player = String(stranger.playerId);
    const outcomes = await settled([
      addTestPlayer(ctx, owner, { clientId, player }),
      addTestPlayer(there.ctx, owner, { clientId, player }),
    ]);
    expect(outcomes.toSorted()).toEqual(["GeneralError", "done"]);
  }
});

test.each(["test player", "member"] as const)(
  "a %s who is removed while approving keeps no consent and no grant",
  async (what) => {
    for (let round = 0; round < rounds; round++) {
      clock.advance(60);
      const { app, clientId, owner, ...world } = await testWorld(ctx);
      const user = what === "member" ? await mintMember(ctx, app, "viewer") : world.tester;
      const key = { clientId, playerId: user.playerId };
      const browser = await TestBrowser.signedIn(ctx, user);
      const requestId = requestIdOf(await browser.authorize(authorizationQuery(app)));
      const asked = { requestId, browserId: browser.browserId };
      await showRequest(ctx, user, asked);
      const remove = what === "member" ? removeMember : removeTestPlayer;
      const [removed, approved] = await settled([
        remove(ctx, owner, key),
        decideRequest(there.ctx, user, { ...asked, decision: "approve" }),
      ]);
      expect(removed).toBe("done");
      expect(approved).toMatch(/^(done|AuthorizationFailure)$/);
      expect([await liveConsents(clientId), await liveGrants(clientId)]).toEqual([0, 0]);
    }
  },
);

test("a test player who is removed during a refresh or a remembered consent has no token that works", async () => {
  for (let round = 0; round < rounds; round++) {
    clock.advance(60);
    const { app, clientId, owner, tester } = await testWorld(ctx);
    const tokens = await mintTokens(ctx, app, { user: tester });
    const browser = await TestBrowser.signedIn(there.ctx, tester);
    const [removed, answer] = await Promise.all([
      removeTestPlayer(ctx, owner, { clientId, playerId: tester.playerId }).then(() => "done"),
      refresh(there.ctx, app, tokens.refresh_token ?? ""),
      browser.authorize(authorizationQuery(app)),
    ]);
    expect(removed).toBe("done");
    expect([await liveConsents(clientId), await liveGrants(clientId)]).toEqual([0, 0]);
    const renewed = (await answer.json()) as { refresh_token?: string };
    const next = renewed.refresh_token ?? tokens.refresh_token ?? "";
    expect((await refresh(ctx, app, next)).status).toBe(400);
  }
});

test("an application that opens while test players are added and removed has no list, and ends no consent after it", async () => {
  for (let round = 0; round < rounds; round++) {
    clock.advance(60);
    const { app, clientId, owner, tester, stranger } = await testWorld(ctx);
    await mintTokens(ctx, app, { user: tester });
    const { kind: _, ...complete } = applicationInput();
    await updateApplication(ctx, owner, { ...complete, clientId, version: 1 });
    const [opened, , removed] = await settled([
      openToPlayers(ctx, owner, { clientId }),
      addTestPlayer(there.ctx, owner, { clientId, player: String(stranger.playerId) }),
      removeTestPlayer(there.ctx, owner, { clientId, playerId: tester.playerId }),
    ]);
    expect(opened).toBe("done");
    expect(await on.$count(applicationTesters, eq(applicationTesters.clientId, clientId))).toBe(0);
    expect(await liveConsents(clientId)).toBe(removed === "done" ? 0 : 1);
  }
});
