import { expect, test } from "vitest";
import { expectWithin } from "#server/testing/lived-time";
import {
  authorizationQuery,
  mintApplication,
  mintCode,
  mintTokens,
  postToken,
  redemption,
  refresh,
  requestIdOf,
  TestBrowser,
  unthrottled,
} from "#server/testing/oauth-world";
import { twoInstances } from "#server/testing/two-instances";
import { mintUser } from "#server/testing/world";
import { decideRequest } from "../authorize/decide-request";
import { resumeRequest } from "../authorize/start-authorization";
import { pauseConsent, resumeConsent } from "../consents/consent-acts";
import { listConsents } from "../consents/list-consents";
import type { TokenReply } from "./authorization-code";

/** Theft is noticed on one instance while the rightful client uses the other. */
const { here, there } = await twoInstances({ rates: unthrottled });
const { ctx, clock } = here;
const owner = await mintUser(ctx);
const app = await mintApplication(ctx, owner);
const rounds = 10;
/** Milliseconds. */
const soon = 1_000;

async function expectDead(tokens: TokenReply): Promise<void> {
  for (const instance of [ctx, there.ctx]) {
    await expectWithin(soon, () =>
      instance.tokens.authenticate(tokens.access_token),
    ).toBeUndefined();
    expect((await refresh(instance, app, tokens.refresh_token ?? "")).status).toBe(400);
  }
}
const replyOf = async (response: Response) => (await response.json()) as TokenReply;

test("TK-28: a code that comes back late while its tokens are refreshed elsewhere leaves nothing alive", async () => {
  for (let round = 0; round < rounds; round++) {
    const fields = redemption(app, await mintCode(ctx, app, { user: await mintUser(ctx) }));
    const tokens = await replyOf(await postToken(ctx, app, fields));
    clock.advance(3);
    const [reused, refreshed] = await Promise.all([
      postToken(ctx, app, fields),
      refresh(there.ctx, app, tokens.refresh_token ?? ""),
    ]);
    expect(reused.status).toBe(400);
    expect([200, 400]).toContain(refreshed.status);
    if (refreshed.status === 200) await expectDead(await replyOf(refreshed));
    await expectDead(tokens);
  }
});

test("RF-06: a replaced token that comes back late while its successor is used elsewhere leaves nothing alive", async () => {
  for (let round = 0; round < rounds; round++) {
    const tokens = await mintTokens(ctx, app, { user: await mintUser(ctx) });
    const next = await replyOf(await refresh(ctx, app, tokens.refresh_token ?? ""));
    clock.advance(30.001);
    const [reused, ...refreshed] = await Promise.all([
      refresh(there.ctx, app, tokens.refresh_token ?? ""),
      refresh(ctx, app, next.refresh_token ?? ""),
      refresh(there.ctx, app, next.refresh_token ?? ""),
    ]);
    expect(reused.status).toBe(400);
    for (const response of refreshed) {
      expect([200, 400]).toContain(response.status);
      if (response.status === 200) await expectDead(await replyOf(response));
    }
    await expectDead(next);
  }
});

test("RF-06: at the last moment of the window the old token and its successor may come together, and the chain goes on", async () => {
  for (let round = 0; round < rounds; round++) {
    const tokens = await mintTokens(ctx, app, { user: await mintUser(ctx) });
    const next = await replyOf(await refresh(ctx, app, tokens.refresh_token ?? ""));
    clock.advance(30);
    const [late, moved] = await Promise.all([
      refresh(there.ctx, app, tokens.refresh_token ?? ""),
      refresh(ctx, app, next.refresh_token ?? ""),
    ]);
    expect(moved.status).toBe(200);
    // The same reply as before, or none after a lost race; never a third pair.
    expect(late.status === 200 ? await late.json() : late.status).toEqual(
      late.status === 200 ? next : 400,
    );
    const newest = await replyOf(moved);
    expect(await ctx.tokens.authenticate(newest.access_token)).toBeDefined();
    expect((await refresh(there.ctx, app, newest.refresh_token ?? "")).status).toBe(200);
  }
});

test("a refresh that races with a pause burns nothing: the newest token that was given goes on after it", async () => {
  for (let round = 0; round < rounds; round++) {
    const user = await mintUser(ctx);
    const tokens = await mintTokens(ctx, app, { user });
    const consentId = (await listConsents(ctx, user))[0]?.consentId ?? "";
    const [response] = await Promise.all([
      refresh(there.ctx, app, tokens.refresh_token ?? ""),
      pauseConsent(ctx, user, { consentId }),
    ]);
    const newest = response.status === 200 ? await replyOf(response) : tokens;
    for (const instance of [ctx, there.ctx]) {
      await expectWithin(
        soon,
        async () => (await instance.tokens.authenticate(newest.access_token))?.status,
      ).toBe("paused");
      expect((await refresh(instance, app, newest.refresh_token ?? "")).status).toBe(400);
    }
    await resumeConsent(ctx, user, { consentId });
    expect((await refresh(there.ctx, app, newest.refresh_token ?? "")).status).toBe(200);
  }
});

test("AZ-41: a request that is resumed on one instance and decided on the other yields one code", async () => {
  for (let round = 0; round < rounds; round++) {
    clock.advance(60);
    const user = {
      ...(await mintUser(ctx)),
      authenticatedAt: new Date(ctx.now().getTime() + 1_000),
    };
    await mintTokens(ctx, app, { user });
    const browser = await TestBrowser.signedIn(ctx, user);
    const requestId = requestIdOf(
      await browser.authorize(authorizationQuery(app, { prompt: "login" })),
    );
    const asked = { requestId, browserId: browser.browserId, user };
    const outcomes = await Promise.allSettled([
      resumeRequest(ctx, asked.user, asked),
      decideRequest(there.ctx, asked.user, { ...asked, decision: "approve" }),
      decideRequest(ctx, asked.user, { ...asked, decision: "deny" }),
    ]);
    const answers = outcomes.flatMap((outcome) =>
      outcome.status === "fulfilled" ? [outcome.value] : [],
    );
    expect(answers).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === "rejected")
        expect(outcome.reason).toMatchObject({ reason: "REQUEST_DECIDED" });
  }
});
