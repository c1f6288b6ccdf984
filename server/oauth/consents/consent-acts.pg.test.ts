import { expect, test } from "vitest";
import type { Context } from "#server/context";
import type { ScopeName } from "#server/scopes";
import { expectWithin } from "#server/testing/lived-time";
import {
  authorizationQuery,
  mintApplication,
  mintTokens,
  mintVisitor,
  refresh,
  requestIdOf,
  TestBrowser,
  unthrottled,
} from "#server/testing/oauth-world";
import { twoInstances } from "#server/testing/two-instances";
import { mintUser } from "#server/testing/world";
import { decideRequest } from "../authorize/decide-request";
import { isAuthorizationFailure } from "../authorize/pending-authorization";
import { showRequest } from "../authorize/show-request";
import {
  changeExpiry,
  narrowConsent,
  pauseConsent,
  resumeConsent,
  revokeAllConsents,
} from "./consent-acts";
import { listConsents } from "./list-consents";

const { here, there } = await twoInstances({ rates: unthrottled });
const { ctx } = here;
const owner = await mintUser(ctx);
const scopes: ScopeName[] = ["identity", "faction", "service_key:usage"];
const app = await mintApplication(ctx, owner, { scopes });

// The fixed clock keeps caches fresh, so only messages between instances can end anything.

/** A player with a token that both instances cache as live. */
async function connected(granted: ScopeName[] = ["identity", "faction"]) {
  here.clock.advance(60);
  const user = await mintUser(ctx);
  const tokens = await mintTokens(ctx, app, { user, scopes: granted });
  const [consent] = await listConsents(ctx, user);
  for (const instance of [here, there])
    expect(await seenBy(instance.ctx, tokens.access_token)).toBe("active");
  return { user, tokens, consentId: consent?.consentId ?? "" };
}

const seenBy = async (instance: Context, token: string) =>
  (await instance.tokens.authenticate(token))?.status;
const scopesSeenBy = async (instance: Context, token: string) =>
  (await instance.tokens.authenticate(token))?.actor.scopes;
/** Milliseconds. */
const soon = 1_000;

test("RE-40: what is paused on one instance is refused there at once and on the other within a second, and goes on the same way", async () => {
  const { user, tokens, consentId } = await connected();
  await pauseConsent(ctx, user, { consentId });
  expect(await seenBy(ctx, tokens.access_token)).toBe("paused");
  await expectWithin(soon, () => seenBy(there.ctx, tokens.access_token)).toBe("paused");
  await resumeConsent(ctx, user, { consentId });
  expect(await seenBy(ctx, tokens.access_token)).toBe("active");
  await expectWithin(soon, () => seenBy(there.ctx, tokens.access_token)).toBe("active");
});

test("RE-40: what is narrowed on one instance is closed there at once and on the other within a second", async () => {
  const { user, tokens, consentId } = await connected();
  await narrowConsent(ctx, user, { consentId, shown: ["identity", "faction"], keep: ["identity"] });
  expect(await scopesSeenBy(ctx, tokens.access_token)).toEqual(["identity"]);
  await expectWithin(soon, () => scopesSeenBy(there.ctx, tokens.access_token)).toEqual([
    "identity",
  ]);
});

test("an expiry that changes while all devices refresh fails none of them", async () => {
  const { user, tokens, consentId } = await connected();
  let devices = [tokens];
  while (devices.length < 12) devices.push(await mintTokens(ctx, app, { user }));
  for (let round = 0; round < 10; round++) {
    const until = round % 2 === 0 ? "day" : "month";
    const [answers] = await Promise.all([
      Promise.all(
        devices.map(({ refresh_token = "" }, n) =>
          refresh(n % 2 === 0 ? ctx : there.ctx, app, refresh_token),
        ),
      ),
      changeExpiry(there.ctx, user, { consentId, until }),
      changeExpiry(ctx, user, { consentId, until }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    devices = await Promise.all(answers.map((answer) => answer.json()));
  }
});

test("RE-40 RF-14: ending all at once on one instance ends every token on the other, ten of ten", async () => {
  const { user, tokens } = await connected();
  const devices = [tokens];
  while (devices.length < 10) devices.push(await mintTokens(ctx, app, { user }));
  const known = await Promise.all(
    devices.map(({ access_token }) => there.ctx.tokens.authenticate(access_token)),
  );
  expect(known.filter(Boolean)).toHaveLength(10);
  await revokeAllConsents(ctx, user);
  for (const { access_token } of devices)
    expect(await ctx.tokens.authenticate(access_token)).toBeUndefined();
  const live = async () =>
    (
      await Promise.all(
        devices.map(({ access_token }) => there.ctx.tokens.authenticate(access_token)),
      )
    ).filter(Boolean).length;
  await expectWithin(soon, live).toBe(0);
  expect((await refresh(there.ctx, app, tokens.refresh_token ?? "")).status).toBe(400);
});

test("narrowing and refreshing at the same time on two instances never leaves a token with what was taken away", async () => {
  for (let round = 0; round < 6; round += 1) {
    const { user, tokens, consentId } = await connected();
    const [reply] = await Promise.all([
      refresh(there.ctx, app, tokens.refresh_token ?? ""),
      narrowConsent(ctx, user, { consentId, shown: ["identity", "faction"], keep: ["identity"] }),
    ]);
    expect(reply.status).toBe(200);
    const { access_token } = await reply.json();
    expect(await scopesSeenBy(ctx, access_token)).toEqual(["identity"]);
    await expectWithin(soon, () => scopesSeenBy(there.ctx, access_token)).toEqual(["identity"]);
  }
});

test("AZ-40: an approval that races with a narrowing never brings back what was taken away", async () => {
  for (let round = 0; round < 6; round += 1) {
    const { user, consentId } = await connected();
    const browser = await TestBrowser.signedIn(ctx, user);
    const response = await browser.authorize(authorizationQuery(app, { scope: scopes.join(" ") }));
    const asked = { requestId: requestIdOf(response), browserId: browser.browserId, user };
    const view = await showRequest(ctx, asked.user, asked);
    const shown = { allowed: view.allowed.map(({ name }) => name), optional: view.optional };
    const approving = decideRequest(there.ctx, asked.user, {
      ...asked,
      shown,
      decision: "approve",
    });
    const [approved] = await Promise.all([
      approving.then(
        () => true,
        (thrown: unknown) => {
          if (!isAuthorizationFailure(thrown, "REQUEST_CHANGED")) throw thrown;
          return false;
        },
      ),
      narrowConsent(ctx, user, { consentId, shown: ["identity", "faction"], keep: ["identity"] }),
    ]);
    const [consent] = await listConsents(ctx, user);
    // Either the narrowing came first and the question was asked again, or it came second and kept
    // the scopes that its page had not shown.
    const left = approved ? ["identity", "service_key:usage"] : ["identity"];
    expect(consent?.scopes.map(({ name }) => name)).toEqual(left);
  }
});

test("two approvals at once of one player and application make one consent with the scopes of both", async () => {
  here.clock.advance(60);
  const { user, browser } = await mintVisitor(ctx);
  const requests = [];
  for (const scope of ["identity", "faction"]) {
    const response = await browser.authorize(authorizationQuery(app, { scope }));
    requests.push({ requestId: requestIdOf(response), browserId: browser.browserId, user });
  }
  const decided = requests.map((asked, index) =>
    decideRequest(index === 0 ? ctx : there.ctx, asked.user, {
      ...asked,
      decision: "approve",
    }),
  );
  for (const { location } of await Promise.all(decided)) expect(location).toContain("code=");
  const held = await listConsents(ctx, user);
  expect(held.map((consent) => consent.scopes.map(({ name }) => name))).toEqual([
    ["identity", "faction"],
  ]);
});

test("a stale page that takes one permission away while another is approved leaves the new one", async () => {
  for (let round = 0; round < 6; round += 1) {
    const { user, consentId } = await connected(["identity"]);
    const browser = await TestBrowser.signedIn(ctx, user);
    const requestId = requestIdOf(
      await browser.authorize(authorizationQuery(app, { scope: "faction" })),
    );
    const asked = { requestId, browserId: browser.browserId, user };
    await Promise.all([
      decideRequest(there.ctx, asked.user, { ...asked, decision: "approve" }),
      narrowConsent(ctx, user, { consentId, shown: ["identity"], keep: [] }),
    ]);
    const [consent] = await listConsents(ctx, user);
    expect(consent?.scopes.map(({ name }) => name)).toEqual(["faction"]);
  }
});
