import { expect, test } from "vitest";
import { banAccount } from "#server/admin/accounts";
import { resumeApplication, suspendApplication } from "#server/admin/applications";
import { narrowConsent, pauseConsent, revokeConsents } from "#server/oauth/consents/consent-acts";
import { testDatabase } from "#server/testing/database";
import { serveFront, streamRates, streamWorld } from "#server/testing/event-world";
import { livedTime } from "#server/testing/lived-time";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";

const database = await testDatabase();
const { here, ctx, clock, url, app, member, happen, hit } = await streamWorld(database);
const admin = { ...(await mintUser(ctx)), admin: true };

async function list(
  token: string,
  query: string,
  more: { at?: string; signal?: AbortSignal } = {},
) {
  const begun = performance.now();
  const answer = await fetch(`${more.at ?? url}/api/v1/events${query}`, {
    headers: { authorization: `Bearer ${token}` },
    ...(more.signal && { signal: more.signal }),
  });
  return {
    status: answer.status,
    took: performance.now() - begun,
    json: JSON.parse(await answer.text()),
  };
}
/** Where the log ends for this token. */
const now = async (token: string): Promise<string> => {
  await ctx.settled();
  return (await list(token, "")).json.cursor;
};
/** Resolves when so many calls wait. */
const waiting = (count: number) =>
  expect.poll(() => ctx.events.feed.size(), { interval: 5 }).toBe(count);

test("a call that waits is answered with the first event that it asks for, and at once where there is one already", async () => {
  const { token } = await member();
  const after = await now(token);
  const waits = list(token, `?after=${after}&wait=20&types=retaliation.opened`);
  await waiting(1);
  await hit("waited for");
  const { status, took, json } = await waits;
  expect(status).toBe(200);
  expect(took).toBeLessThan(15_000);
  expect(
    json.events.map((event: { data: { subject: { id: string } } }) => event.data.subject.id),
  ).toEqual(["waited for"]);
  expect((await list(token, `?after=${after}&wait=20`)).json.events).toEqual(json.events);
  await waiting(0);
});

test("a call that waits in vain has an empty page when its time is over, with a position that has moved on", async () => {
  const { token } = await member(["identity"]);
  const after = await now(token);
  const waits = list(token, `?after=${after}&wait=1`);
  await waiting(1);
  await hit("for others");
  const { took, json } = await waits;
  expect(took).toBeGreaterThan(900);
  expect(json).toMatchObject({ events: [], more: false });
  expect(json.cursor).not.toBe(after);
});

const application = { clientId: app.clientId };
const ends: [
  string,
  number,
  string | undefined,
  (of: Awaited<ReturnType<typeof member>>) => Promise<unknown>,
][] = [
  [
    "its consent ends",
    401,
    "grant.ended",
    (of) => revokeConsents(ctx, of.user, { consentIds: [of.consentId] }),
  ],
  [
    "its consent is paused",
    403,
    "grant.paused",
    (of) => pauseConsent(ctx, of.user, { consentId: of.consentId }),
  ],
  [
    "its player is banned",
    401,
    "grant.paused",
    ({ user: { accountId } }) => banAccount(ctx, admin, { accountId, reason: "Sold data." }),
  ],
  [
    "its application is suspended",
    403,
    undefined,
    () => suspendApplication(ctx, admin, { ...application, reason: "Sold data." }),
  ],
];
test.each(ends)(
  "a call that waits hears of nothing but the end within a second when %s, and the next is refused",
  async (_how, refused, told, end) => {
    const of = await member();
    const after = await now(of.token);
    const waits = list(of.token, `?after=${after}&wait=25`);
    await waiting(1);
    const lived = livedTime();
    await end(of);
    const { status, json } = await waits;
    expect(lived()).toBeLessThan(1_000);
    // The event about the end may arrive before the end itself.
    if (status === 200) {
      expect(json.events.map((event: { type: string }) => event.type)).toEqual([told]);
    } else expect(status).toBe(refused);
    await expect
      .poll(async () => (await list(of.token, `?after=${after}&wait=25`)).status)
      .toBe(refused);
    if (told === undefined) await resumeApplication(ctx, admin, application);
  },
);

test("a call that waits is refused once its token has expired, and hears nothing of a scope that was taken meanwhile", async () => {
  const expiring = await member();
  const waits = list(expiring.token, `?after=${await now(expiring.token)}&wait=25`);
  await waiting(1);
  clock.advance(ctx.settings.lifetimes.access + 1);
  await happen("after its token");
  expect((await waits).status).toBe(401);
  const { token, user, consentId } = await member();
  const quiet = list(token, `?after=${await now(token)}&wait=2&types=retaliation.opened`);
  await waiting(1);
  await narrowConsent(ctx, user, { consentId, shown: ["identity", "faction"], keep: ["identity"] });
  await hit("not for it any more");
  expect(await quiet).toMatchObject({ status: 200, json: { events: [] } });
});

test("two calls of one grant wait; a third is answered at once, and one whose caller has left gives its place back", async () => {
  const { token } = await member();
  const after = await now(token);
  const left = new AbortController();
  const first = list(token, `?after=${after}&wait=25`, { signal: left.signal });
  first.catch(() => {});
  const second = list(token, `?after=${after}&wait=25`);
  await waiting(2);
  expect((await list(token, `?after=${after}&wait=25`)).json.events).toEqual([]);
  left.abort();
  await waiting(1);
  const third = list(token, `?after=${after}&wait=25`);
  await waiting(2);
  await hit("both");
  expect([(await second).json.events.length, (await third).json.events.length]).toEqual([1, 1]);
});

test("calls that wait are answered when the instance drains, and none waits any more", async () => {
  const leaving = await testContext({ database, beside: here, settings: { rates: streamRates } });
  const { url: at } = await serveFront(leaving.ctx);
  const { token } = await member();
  const after = await now(token);
  const waits = list(token, `?after=${after}&wait=25`, { at });
  await expect.poll(() => leaving.ctx.events.feed.size()).toBe(1);
  leaving.ctx.presence.drain();
  leaving.ctx.events.feed.drain(50);
  expect((await waits).json.events).toEqual([]);
  expect((await list(token, `?after=${after}&wait=25`, { at })).took).toBeLessThan(10_000);
});
