import { afterAll, beforeEach } from "vitest";
import { POST as postSignInKey } from "#app/sign-in/key/route";
import { testDatabase } from "./database";
import { plainBrowser, shareContext } from "./plain-browser";
import { type TestContextOptions, testContext } from "./test-context";

/** The product as the forms of its pages find it, and browsers that send them. */
export async function formWorld(settings: TestContextOptions["settings"] = {}) {
  const world = await testContext({ database: await testDatabase(), settings });
  const { ctx, clock, simulator } = world;
  afterAll(shareContext(ctx));
  // No test uses up the windows of another: all peers share one here, since no front is there to
  // separate them.
  beforeEach(() => clock.advance(60));
  const browser = () => plainBrowser(ctx);
  /** A browser signed in with a game key. */
  const withKey = async (gameKey = simulator.demoKeys.member) => {
    const visitor = browser();
    await visitor.post(postSignInKey, { game_key: gameKey });
    return visitor;
  };
  return { ...world, browser, withKey };
}
