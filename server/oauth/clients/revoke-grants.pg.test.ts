import { expect, test } from "vitest";
import { expectWithin } from "#server/testing/lived-time";
import { mintApplication, mintTokens, refresh } from "#server/testing/oauth-world";
import { twoInstances } from "#server/testing/two-instances";
import { mintUser } from "#server/testing/world";
import type { TokenReply } from "../grants/authorization-code";
import { revokeGrants, showLiveGrants } from "./live-grants/live-grants";

const { here, there } = await twoInstances();
const { ctx } = here;
const owner = await mintUser(ctx);

// The fixed clock keeps caches fresh, so only messages between instances can end anything.

test("RE-40: a grant that its developer ends on one instance is refused on the other within a second", async () => {
  const app = await mintApplication(ctx, owner);
  const { clientId } = app;
  const { access_token } = await mintTokens(ctx, app, { user: await mintUser(ctx) });
  expect(await there.ctx.tokens.authenticate(access_token)).toBeDefined();
  const { rows } = await showLiveGrants(ctx, owner, { clientId, after: null });
  await revokeGrants(ctx, owner, { clientId, grantId: rows[0]?.id ?? "" });
  expect(await ctx.tokens.authenticate(access_token)).toBeUndefined();
  await expectWithin(1_000, () => there.ctx.tokens.authenticate(access_token)).toBeUndefined();
});

test("the end of all grants that races with refreshes on another instance leaves nothing alive", async () => {
  for (let round = 0; round < 8; round++) {
    const app = await mintApplication(ctx, owner);
    const tokens = await mintTokens(ctx, app, { user: await mintUser(ctx) });
    const racing = [
      refresh(there.ctx, app, tokens.refresh_token ?? ""),
      refresh(ctx, app, tokens.refresh_token ?? ""),
    ];
    const named = { clientId: app.clientId, confirmName: "Test application" };
    expect(await revokeGrants(ctx, owner, named)).toEqual({ players: 1, grants: 1 });
    for (const response of await Promise.all(racing)) {
      expect(response.status).toBeLessThan(500);
      if (response.status !== 200) continue;
      const next = (await response.json()) as TokenReply;
      for (const instance of [ctx, there.ctx])
        await expectWithin(1_000, () =>
          instance.tokens.authenticate(next.access_token),
        ).toBeUndefined();
      expect((await refresh(there.ctx, app, next.refresh_token ?? "")).status).toBe(400);
    }
  }
});

test("two ends of one grant at once: it ends once, and the player is told once", async () => {
  const app = await mintApplication(ctx, owner);
  const { clientId } = app;
  await mintTokens(ctx, app, { user: await mintUser(ctx) });
  const { rows } = await showLiveGrants(ctx, owner, { clientId, after: null });
  const end = (on: typeof ctx) => revokeGrants(on, owner, { clientId, grantId: rows[0]?.id ?? "" });
  const results = await Promise.allSettled([end(ctx), end(there.ctx)]);
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});
