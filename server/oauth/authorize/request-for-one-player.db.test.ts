import { describe, expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import {
  authorizationQuery,
  mintApplication,
  requestIdOf,
  TestBrowser,
} from "#server/testing/oauth-world";
import { testContext } from "#server/testing/test-context";
import { mintUser, testSource } from "#server/testing/world";
import { deleteApplication } from "../clients/application-acts";
import { decideRequest } from "./decide-request";
import { showRequest } from "./show-request";
import { findRestartLink, resumeRequest } from "./start-authorization";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const owner = await mintUser(ctx);
const app = await mintApplication(ctx, owner);
const _origin = testSource;

/** A request saved in a browser with or without a session; its page was never shown. */
async function pending(signedIn: boolean, differing: Record<string, string> = {}, client = app) {
  clock.advance(60);
  const user = await mintUser(ctx);
  const browser = new TestBrowser(ctx);
  if (signedIn) await browser.signIn(user);
  const response = await browser.authorize(authorizationQuery(client, differing));
  return {
    user,
    browser,
    asked: { requestId: requestIdOf(response), browserId: browser.browserId },
  };
}

describe("AZ-42: a request that was saved for one player and never shown", () => {
  test("is not shown to, resumed for or decided by the next player in the same browser", async () => {
    const { user, asked } = await pending(true);
    const next = { ...asked, user: await mintUser(ctx) };
    await expect(
      decideRequest(ctx, next.user, { ...next, decision: "approve" }),
    ).rejects.toMatchObject({
      reason: "REQUEST_FOREIGN",
    });
    await expect(
      decideRequest(ctx, next.user, { ...next, decision: "deny" }),
    ).rejects.toMatchObject({
      reason: "REQUEST_FOREIGN",
    });
    await expect(showRequest(ctx, next.user, next)).rejects.toMatchObject({
      reason: "REQUEST_FOREIGN",
    });
    await expect(resumeRequest(ctx, next.user, next)).rejects.toMatchObject({
      reason: "REQUEST_FOREIGN",
    });
    await showRequest(ctx, user, { ...asked });
  });

  test("belongs to the first who is shown it where nobody was signed in", async () => {
    const { user, asked } = await pending(false);
    await showRequest(ctx, user, { ...asked });
    await expect(showRequest(ctx, await mintUser(ctx), { ...asked })).rejects.toMatchObject({
      reason: "REQUEST_FOREIGN",
    });
  });

  test("AZ-29: with prompt=login is not decided before the new sign-in, though its account is known", async () => {
    const { user, asked } = await pending(true, { prompt: "login" });
    const decide = (authenticatedAt: Date) =>
      decideRequest(
        ctx,
        { ...user, authenticatedAt },
        {
          ...asked,
          decision: "approve",
        },
      );
    await expect(decide(user.authenticatedAt)).rejects.toMatchObject({ reason: "SIGN_IN_STALE" });
    clock.advance(1);
    expect((await decide(ctx.now())).location).toContain("code=");
  });
});

describe("a request that can no longer be answered", () => {
  test("is asked again by the browser that started it, with the parameters that it came with", async () => {
    const state = 'a&b=c d"%é';
    const { user, browser, asked } = await pending(true, {
      state,
      prompt: "consent",
      scope: "identity faction",
    });
    clock.advance(600);
    await expect(showRequest(ctx, user, { ...asked })).rejects.toMatchObject({
      reason: "REQUEST_EXPIRED",
    });
    const restart = await findRestartLink(ctx, asked);
    expect(restart?.applicationName).toBe("Test application");
    const query = new URL(restart?.path ?? "", ctx.settings.baseUrl).searchParams;
    const sent = authorizationQuery(app, { state, prompt: "consent", scope: "identity faction" });
    expect(Object.fromEntries(query)).toEqual(sent);

    const again = {
      requestId: requestIdOf(await browser.authorize(query.toString())),
      browserId: browser.browserId,
    };
    const answered = await decideRequest(ctx, user, { ...again, decision: "approve" });
    expect(new URL(answered.location).searchParams.get("state")).toBe(state);
  });

  test("has no way back for another browser, once it was answered, or when its application is gone", async () => {
    const { user, asked } = await pending(true);
    expect(await findRestartLink(ctx, { ...asked, browserId: "x".repeat(43) })).toBeNull();
    expect(await findRestartLink(ctx, { ...asked, browserId: null })).toBeNull();
    expect(await findRestartLink(ctx, { ...asked, requestId: ctx.ids.uuid() })).toBeNull();
    expect(await findRestartLink(ctx, asked)).not.toBeNull();
    await decideRequest(ctx, user, { ...asked, decision: "deny" });
    expect(await findRestartLink(ctx, asked)).toBeNull();

    const doomed = await mintApplication(ctx, owner, { name: "Doomed" });
    const left = await pending(true, {}, doomed);
    await deleteApplication(ctx, owner, { clientId: doomed.clientId, confirmName: "Doomed" });
    expect(await findRestartLink(ctx, left.asked)).toBeNull();
  });
});
