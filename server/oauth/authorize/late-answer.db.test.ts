import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { consents } from "#db/schema/oauth";
import type { PortalUser } from "#server/actor";
import { testDatabase } from "#server/testing/database";
import {
  authorizationQuery,
  mintApplication,
  mintVisitor,
  requestIdOf,
} from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { decideRequest } from "./decide-request";
import { showRequest } from "./show-request";

const { ctx, clock } = await testContext({ database: await testDatabase() });
const app = await mintApplication(ctx, await mintUser(ctx));

interface Asked {
  readonly requestId: string;
  readonly browserId: string | null;
  readonly user: PortalUser;
}

/** A pending request of a new player. */
async function askVisitor(): Promise<{ asked: Asked; user: PortalUser }> {
  clock.advance(60);
  const { user, browser } = await mintVisitor(ctx);
  const requestId = requestIdOf(await browser.authorize(authorizationQuery(app)));
  return { user, asked: { requestId, browserId: browser.browserId, user } };
}

const consentsOf = (user: PortalUser) =>
  ctx.database.query.select().from(consents).where(eq(consents.accountId, user.accountId));

describe("an answer that was read while the request was open, and comes to its decision when it is not", () => {
  /** Runs `meanwhile` between the read of the request and the decision. */
  const decideAfter = async (meanwhile: (asked: Asked) => Promise<unknown>) => {
    const { asked, user } = await askVisitor();
    await showRequest(ctx, asked.user, asked);
    const findClient = async (clientId: string) => {
      await meanwhile(asked);
      return ctx.tokens.findClient(clientId);
    };
    const decided = decideRequest({ ...ctx, tokens: { ...ctx.tokens, findClient } }, asked.user, {
      ...asked,
      decision: "approve",
    });
    return { refused: expect(decided).rejects.toMatchObject({ reason: "REQUEST_DECIDED" }), user };
  };

  test("AZ-41: decides nothing after another answer", async () => {
    let first: string | undefined;
    const { refused, user } = await decideAfter(async (asked) => {
      first = (await decideRequest(ctx, asked.user, { ...asked, decision: "deny" })).location;
    });
    await refused;
    expect(first).toContain("error=access_denied");
    expect(await consentsOf(user)).toEqual([]);
  });

  test("AZ-42: is not asked of a second player, who came to the page at the same moment", async () => {
    const { asked } = await askVisitor();
    const { user } = await mintVisitor(ctx);
    const findClient = async (clientId: string) => {
      await showRequest(ctx, asked.user, asked);
      return ctx.tokens.findClient(clientId);
    };
    const shown = showRequest({ ...ctx, tokens: { ...ctx.tokens, findClient } }, user, {
      ...asked,
    });
    await expect(shown).rejects.toMatchObject({ reason: "REQUEST_FOREIGN" });
    const answered = await decideRequest(ctx, asked.user, {
      ...asked,
      decision: "deny",
    });
    expect(answered.location).toContain("error=access_denied");
  });

  test("AZ-42: decides nothing after ten minutes", async () => {
    const { refused, user } = await decideAfter(async () => clock.advance(601));
    await refused;
    expect(await consentsOf(user)).toEqual([]);
  });
});
