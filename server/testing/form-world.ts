import { afterAll, beforeEach } from "vitest";
import { POST as postSignInKey } from "#app/sign-in/key/route";
import { testDatabase } from "./database";
import { plainBrowser, shareContext } from "./plain-browser";
import { type TestContextOptions, testContext } from "./test-context";

export async function formWorld(settings: TestContextOptions["settings"] = {}) {
  const world = await testContext({ database: await testDatabase(), settings });
  const { ctx, clock, simulator } = world;
  afterAll(shareContext(ctx));
  // All peers share one rate-limit window here, because no front distinguishes them.
  beforeEach(() => clock.advance(60));
  const browser = () => plainBrowser(ctx);
  const withKey = async (gameKey = simulator.demoKeys.member) => {
    const visitor = browser();
    await visitor.post(postSignInKey, { game_key: gameKey });
    return visitor;
  };
  return { ...world, browser, withKey };
}
