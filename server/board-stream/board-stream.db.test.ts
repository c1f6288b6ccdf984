import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { players } from "#db/schema/players";
import type { PortalUser } from "#server/actor";
import { banAccount } from "#server/admin/accounts";
import { sessionCookieName } from "#server/auth/cookies";
import { createSession, endOtherSessions, readSession, signOut } from "#server/auth/sessions";
import { recordEvents } from "#server/event-log/record-events";
import { retaliationOpened, vaultRequestCreated } from "#server/faction/events";
import { testDatabase } from "#server/testing/database";
import { serveFront } from "#server/testing/event-world";
import { untilClosed } from "#server/testing/raw-http";
import { testContext } from "#server/testing/test-context";
import { mintFaction, mintUser, sentFrom, testSource } from "#server/testing/world";

const database = await testDatabase();
const here = await testContext({ database });
const { ctx } = here;
const { url } = await serveFront(ctx);
const origin = { requestId: "request-of-a-test", address: null };

async function signedIn(user: PortalUser) {
  const browser = { address: null, userAgent: null };
  const { token } = await createSession(ctx, database.query, {
    accountId: user.accountId,
    from: browser,
    proof: "game-key",
  });
  return { token, cookie: `${sessionCookieName(ctx.settings.https)}=${token}` };
}

interface OpenBoard {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  text(): string;
  readonly closed: Promise<void>;
  close(): void;
}

/** Asks for a board's stream, and resolves with its head. */
function openBoard(
  headers: Record<string, string>,
  { at = url, method = "GET" } = {},
): Promise<OpenBoard> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      `${at}/faction/events`,
      { method, headers, agent: false },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        answer.on("error", () => {});
        const closed = untilClosed(answer);
        const { statusCode: status = 0, headers: said } = answer;
        resolve({ status, headers: said, text: () => text, closed, close: () => sent.destroy() });
      },
    );
    sent.on("error", reject).end();
  });
}

async function world(positionName = "Member") {
  const { id: factionId } = await mintFaction(ctx);
  const user = await mintUser(ctx, { factionId, positionName });
  return { factionId, user, ...(await signedIn(user)) };
}

const happen = async (...events: Parameters<typeof recordEvents>[2]) => {
  await database.transaction((tx) => recordEvents(ctx, tx, events));
  await ctx.settled();
};
const hitOn = (factionId: number) =>
  happen({ type: retaliationOpened, subject: "a hit", factionId });

// The first event of a log notifies existing readers of its start.
await hitOn(1);

test("an open board is told which part has changed and nothing of what is in it, of the reader's own faction alone", async () => {
  const { factionId, cookie } = await world();
  const board = await openBoard({ cookie });
  expect(board.status).toBe(200);
  expect(board.headers).toMatchObject({
    "content-type": "text/event-stream",
    "x-accel-buffering": "no",
  });
  expect(board.headers["access-control-allow-origin"]).toBeUndefined();
  await hitOn(factionId + 100_000);
  await hitOn(factionId);
  await expect.poll(board.text).toContain("event: changed");
  expect(board.text()).toMatch(/^retry: \d+\n:\n\nevent: changed\ndata: hits\n\n$/);
  board.close();
});

test("another member's request to the vault is told to bankers, and to who made it", async () => {
  const { factionId, user, cookie } = await world();
  const leader = await signedIn(await mintUser(ctx, { factionId, positionName: "Leader" }));
  const other = await signedIn(await mintUser(ctx, { factionId, positionName: "Member" }));
  const boards = await Promise.all(
    [cookie, leader.cookie, other.cookie].map((cookies) => openBoard({ cookie: cookies })),
  );
  const [own, bankers, others] = boards;
  await happen({ type: vaultRequestCreated, subject: 1, factionId, playerId: user.playerId });
  await expect.poll(() => bankers?.text()).toContain("data: vault");
  await expect.poll(() => own?.text()).toContain("data: vault");
  await hitOn(factionId);
  await expect.poll(() => others?.text()).toContain("data: hits");
  expect(others?.text()).not.toContain("vault");
  for (const board of boards) board.close();
});

test("who moved to another faction is told to ask for everything, and hears that faction from then on", async () => {
  const { factionId, user, cookie } = await world();
  const { id: theirs } = await mintFaction(ctx);
  const board = await openBoard({ cookie });
  await database.query
    .update(players)
    .set({ factionId: theirs })
    .where(eq(players.id, user.playerId));
  await hitOn(factionId);
  await expect.poll(board.text).toContain("data: hits crimes vault members");
  const before = board.text().length;
  await hitOn(factionId);
  await hitOn(theirs);
  await expect.poll(() => board.text().length).toBeGreaterThan(before);
  expect(board.text().slice(before)).toBe("event: changed\ndata: hits\n\n");
  board.close();
});

test("a board ends at once with its session: signed out, ended from elsewhere, or its account banned", async () => {
  const { user, token, cookie } = await world();
  const endings = [
    () => signOut(ctx, user, { token }),
    async () => {
      const present = await readSession(ctx, (await signedIn(user)).token, testSource);
      if (present) await endOtherSessions(ctx, sentFrom(present, origin));
    },
    async () => {
      const admin = await mintUser(ctx);
      await banAccount(ctx, sentFrom({ ...admin, admin: true }, origin), {
        accountId: user.accountId,
        reason: "a test",
      });
    },
  ];
  const cookies = [cookie, (await signedIn(user)).cookie, (await signedIn(user)).cookie];
  for (const [index, end] of endings.entries()) {
    // The second act ends all other sessions, the third's among them.
    const own = index === 2 ? (await signedIn(user)).cookie : (cookies[index] ?? "");
    const board = await openBoard({ cookie: own });
    await end();
    await board.closed;
    expect(board.text()).toContain("event: end\ndata: signed-out\n\n");
    expect((await openBoard({ cookie: own })).status).toBe(401);
  }
});

test("a quiet board costs a look at its session with each heartbeat, and nothing else", async () => {
  const lively = await testContext({
    database,
    beside: here,
    eventLimits: { heartbeat: 50, look: 20 },
  });
  const there = await serveFront(lively.ctx);
  const { cookie } = await world();
  const board = await openBoard({ cookie }, { at: there.url });
  await expect.poll(() => board.text().split(":\n\n").length).toBeGreaterThan(4);
  expect(board.text()).not.toContain("event:");
  board.close();
});

test("a fourth board of an account is refused until one is closed", async () => {
  const { cookie } = await world();
  const boards = await Promise.all([1, 2, 3].map(() => openBoard({ cookie })));
  expect(boards.map(({ status }) => status)).toEqual([200, 200, 200]);
  const fourth = await openBoard({ cookie });
  expect([fourth.status, fourth.headers["retry-after"]]).toEqual([429, "30"]);
  boards[0]?.close();
  await expect.poll(async () => (await openBoard({ cookie })).status).toBe(200);
  for (const board of boards) board.close();
});

test("a process that is about to end ends its boards", async () => {
  const { cookie } = await world();
  const board = await openBoard({ cookie });
  ctx.events.feed.drain(10);
  await board.closed;
  expect(board.text()).toContain("event: end\ndata: drain\n\n");
});

test.each([
  ["without a session", 401, {}, "GET"],
  ["from another site", 403, { "sec-fetch-site": "cross-site" }, "GET"],
  ["by another method", 405, {}, "POST"],
] as const)("%s no board is told anything", async (_name, status, headers, method) => {
  const { cookie } = await world();
  const own: Record<string, string> = status === 401 ? {} : { cookie };
  const board = await openBoard({ ...own, ...headers }, { method });
  expect(board.status).toBe(status);
  await expect.poll(board.text).toMatch(/^\{"message":".+"\}$/);
});
