import { testDatabase } from "./database";
import { mintApplication } from "./oauth-world";
import { type TestContextOptions, testContext } from "./test-context";
import { mintUser } from "./world";

/**
 * A player, a developer's confidential and public applications, and another developer's
 * application.
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
    /** Resets the rate-limit windows. */
    nextMinute: () => clock.advance(60),
  };
}
