import { testDatabase } from "./database";
import { mintApplication } from "./oauth-world";
import { type TestContextOptions, testContext } from "./test-context";
import { mintUser } from "./world";

/**
 * A world to ask the token endpoints in: a player, a confidential application and a public one of one developer, and an
 * application of another.
 */
export async function tokenWorld(settings: TestContextOptions["settings"] = {}) {
  const database = await testDatabase();
  const { ctx, clock } = await testContext({ database, settings });
  const owner = await mintUser(ctx);
  return {
    database,
    ctx,
    clock,
    owner,
    user: await mintUser(ctx),
    conf: await mintApplication(ctx, owner),
    other: await mintApplication(ctx, await mintUser(ctx)),
    pub: await mintApplication(ctx, owner, { kind: "public", redirectUris: [] }),
    /** A test that begins with it has unused windows. */
    nextMinute: () => clock.advance(60),
  };
}
