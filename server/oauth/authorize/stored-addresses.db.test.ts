import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { applications, authorizationCodes, authorizationRequests } from "#db/schema/oauth";
import { testDatabase } from "#server/testing/database";
import {
  authorizationQuery,
  mintApplication,
  mintVisitor,
  requestIdOf,
  TestBrowser,
} from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { showFailedOAuthAttempts } from "../clients/calls/show-calls";
import { diagnose } from "../clients/diagnose";
import { decideRequest } from "./decide-request";
import { showPendingRequest, showRequest } from "./show-request";
import { findRestartLink, resumeRequest } from "./start-authorization";

const { ctx, clock } = await testContext({
  database: await testDatabase(),
  settings: { rates: { authorize: 1_000 } },
});
// The log takes a limited number of refusals per address and minute.
beforeEach(() => clock.advance(60));
const on = ctx.database.query;
const owner = await mintUser(ctx);

const bad = [
  "javascript:alert(document.domain)//",
  "data:text/html,<script>alert(1)</script>",
  "http://client.test/cb",
  "http://localhost:3000/cb",
  "https://client.test/cb#fragment",
  "https://user:pass@client.test/cb",
  "//client.test/cb",
  "/developers",
];

/** Bypasses the checks of the registration. */
const store = (clientId: string, fields: Partial<typeof applications.$inferInsert>) =>
  on.update(applications).set(fields).where(eq(applications.clientId, clientId));

describe.each(["confidential", "public"] as const)(
  "a %s application with a stored redirect URI",
  (kind) => {
    test.each(bad)(
      "AZ-04: %s is never redirected to, with a code or an error",
      async (redirectUri) => {
        const app = await mintApplication(ctx, owner, { kind });
        await store(app.clientId, { redirectUris: [redirectUri] });
        const { browser } = await mintVisitor(ctx);
        const variants: Record<string, string>[] = [
          {},
          { scope: "nonsense" },
          { prompt: "none" },
          { response_type: "token" },
        ];
        for (const fields of variants) {
          const answer = await browser.authorize(
            authorizationQuery({ ...app, redirectUri }, fields),
          );
          expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
          expect(answer.headers.getSetCookie()).toEqual([]);
        }
        await ctx.settled();
        const [attempt] = (
          await showFailedOAuthAttempts(ctx, owner, { clientId: app.clientId, after: null })
        ).rows;
        expect(attempt?.description).toMatch(/Replace it in the application's settings\.$/);
        const query = new URLSearchParams(authorizationQuery({ ...app, redirectUri }));
        const found = await diagnose(
          ctx,
          owner,
          `${ctx.settings.baseUrl}/oauth/authorize?${query}`,
        );
        expect(JSON.stringify(found)).toMatch(/no longer accepted/);
      },
    );
  },
);

test("a request that was saved before its redirect URI went bad can be neither shown, resumed nor decided", async () => {
  for (const redirectUri of bad) {
    const app = await mintApplication(ctx, owner);
    const { user, browser } = await mintVisitor(ctx);
    const pending = await browser.authorize(authorizationQuery(app));
    const requestId = requestIdOf(pending);
    const asked = { requestId, browserId: browser.browserId, user };
    await store(app.clientId, { redirectUris: [redirectUri] });
    await on
      .update(authorizationRequests)
      .set({ redirectUri })
      .where(eq(authorizationRequests.id, requestId));
    const gone = { reason: "REQUEST_UNKNOWN" };
    await expect(showRequest(ctx, asked.user, asked)).rejects.toMatchObject(gone);
    await expect(resumeRequest(ctx, asked.user, asked)).rejects.toMatchObject(gone);
    for (const decision of ["approve", "deny"] as const)
      await expect(decideRequest(ctx, asked.user, { ...asked, decision })).rejects.toMatchObject(
        gone,
      );
    expect(await showPendingRequest(ctx, asked)).toBeNull();
    expect(await findRestartLink(ctx, asked)).toBeNull();
    const codes = await on
      .select()
      .from(authorizationCodes)
      .where(eq(authorizationCodes.clientId, app.clientId));
    expect(codes).toEqual([]);
  }
});

test("the hosted callback of a public application works beside a bad row, also over plain http on loopback", async () => {
  const app = await mintApplication(ctx, owner, { kind: "public", redirectUris: [] });
  await store(app.clientId, { redirectUris: ["javascript:alert(1)"] });
  const { user, browser } = await mintVisitor(ctx);
  const location = await browser.decide(await browser.authorize(authorizationQuery(app)), user);
  expect(location.href.startsWith(`${app.redirectUri}?code=adj_ac_`)).toBe(true);
});

test("the consent page's data survive a home page, terms and policy that are no addresses", async () => {
  const app = await mintApplication(ctx, owner);
  await store(app.clientId, {
    clientUri: "javascript:alert(1)",
    tosUri: "https://",
    privacyUri: "not an address",
  });
  const { user } = await mintVisitor(ctx);
  const browser = await TestBrowser.signedIn(ctx, user);
  const requestId = requestIdOf(await browser.authorize(authorizationQuery(app)));
  const view = await showRequest(ctx, user, { requestId, browserId: browser.browserId });
  expect(view.application.clientUri).toBe("javascript:alert(1)");
});
