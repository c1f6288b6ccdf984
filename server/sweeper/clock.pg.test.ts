import { eq } from "drizzle-orm";
import { afterAll, expect, test, vi } from "vitest";
import { openPostgres } from "#db/client";
import { sessions } from "#db/schema/accounts";
import { createSession, readSession } from "#server/auth/sessions";
import { createContext } from "#server/create-context";
import { parseEnvironment } from "#server/platform/env";
import { testPostgresUrl } from "#server/testing/database";
import { mintApplication, mintTokens, refresh } from "#server/testing/oauth-world";
import { recordedLog } from "#server/testing/recorded-log";
import { sweepAll } from "#server/testing/sweep-all";
import { mintUser, testSource } from "#server/testing/world";

const url = await testPostgresUrl();
const database = openPostgres({ url });
afterAll(() => database.close());
const hour = 3_600_000;
const settings = parseEnvironment({
  SERVER_SECRET: "tests-alone-use-this-Server-Secret-0123456789-abcdefghij",
  JOBS: "off",
  DEMO: "0",
});
/** An instance on a machine with a wrong clock; no clock is injected. */
const instance = () => createContext(settings, { database, log: recordedLog() });

test.each([1, -1])(
  "RE-44: a machine whose clock is %i h off sweeps nothing that is alive, and leaves nothing alive that is not",
  async (off) => {
    const right = await instance();
    const owner = await mintUser(right);
    const app = await mintApplication(right, owner);
    const user = await mintUser(right);
    const tokens = await mintTokens(right, app, { user });
    const browser = { address: null, userAgent: null };
    const session = await createSession(right, database.query, {
      accountId: user.accountId,
      from: browser,
      proof: "game-key",
    });
    const over = {
      ...right,
      now: () => new Date(right.now().getTime() - settings.lifetimes.session * 1_000 - hour / 2),
    };
    await createSession(over, database.query, {
      accountId: owner.accountId,
      from: browser,
      proof: "game-key",
    });

    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + off * hour });
    try {
      const wrong = await instance();
      expect(
        Math.abs(wrong.now().getTime() - (await database.serverTime()).getTime()),
      ).toBeLessThan(5_000);
      // An access token lives an hour, so a fast clock would delete this one.
      await sweepAll(wrong);
      expect(await wrong.tokens.authenticate(tokens.access_token)).toBeDefined();
      expect(await readSession(wrong, session.token, testSource)).not.toBeNull();
      // Half an hour past its end: a slow clock would keep this one.
      expect(
        await database.query.select().from(sessions).where(eq(sessions.accountId, owner.accountId)),
      ).toEqual([]);
      expect((await refresh(wrong, app, tokens.refresh_token ?? "")).status).toBe(200);
      await wrong.close();
    } finally {
      vi.useRealTimers();
    }
    await right.close();
  },
);
