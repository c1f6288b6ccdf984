import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { events } from "#db/schema/events";
import { retaliations } from "#db/schema/faction";
import { players } from "#db/schema/players";
import { webhookDeliveries } from "#db/schema/webhooks";
import { createContext } from "#server/create-context";
import type { Stretch } from "#server/event-log/read-log";
import { recordEvents } from "#server/event-log/record-events";
import { readEventCursor } from "#server/events/cursor";
import { retaliationOpened } from "#server/faction/events";
import { narrowConsent, revokeConsents } from "#server/oauth/consents/consent-acts";
import { grantEnded } from "#server/oauth/grants/events";
import { parseEnvironment } from "#server/platform/env";
import { minuteMs, secondMs } from "#server/platform/time";
import { patientDeadline, testPostgresUrl } from "#server/testing/database";
import { type HookReceiver, hookReceiver } from "#server/testing/hook-receiver";
import { mintHooks } from "#server/testing/hook-world";
import { type Instance, prepareInstances } from "#server/testing/instances";
import { recordedLog } from "#server/testing/recorded-log";
import { eventsGap } from "./events";

/** A minute; `SOAK_SECONDS=600 SOAK_SEED=7` for a long one. */
const seconds = Number(process.env.SOAK_SECONDS ?? 60);
/** Of players, over the whole time: 500 in ten minutes. */
const departures = Math.round((seconds * 500) / 600);
const seed = Number(process.env.SOAK_SEED ?? 1);
const writers = 8;

const url = await testPostgresUrl();
const environment = {
  SERVER_SECRET: "tests-alone-use-this-Server-Secret-0123456789-abcdefghij",
  DATABASE_URL: url,
  BASE_URL: "http://localhost:3000",
  WEBHOOK_LOOPBACK: "allowed",
  JOBS: "inline",
  DEMO: "0",
  // Players that come after a busy minute come all at once.
  RATE_AUTHORIZE: "100000",
} as const;
const database = openPostgres({ url, deadline: patientDeadline });
const ctx = await createContext(parseEnvironment({ ...environment, JOBS: "off" }), {
  database,
  log: recordedLog(),
});
const instances = await prepareInstances();
afterAll(async () => {
  instances.remove();
  await ctx.close();
  await database.close();
});
const world = { ctx, clock: { now: ctx.now, advance: () => {}, set: () => {} } };

/** Seeded, from 0 to 1 (mulberry32). */
function dice(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
const random = dice(seed);

type Answer = (response: ServerResponse) => void;
const good: Answer = (response) => void response.end("ok");
const kinds: Readonly<Record<string, () => Answer>> = {
  fast: () => good,
  slow: () => (response) => void wait(100 + random() * 1_500).then(() => good(response)),
  limiting: () => {
    let last = 0;
    return (response) => {
      const isFree = Date.now() - last >= 100;
      if (isFree) last = Date.now();
      return isFree ? good(response) : void response.writeHead(429, { "retry-after": "1" }).end();
    };
  },
  flapping: () => (response) =>
    Date.now() % 5_000 < 3_500 ? good(response) : void response.writeHead(500).end(),
  hanging: () => () => {},
  dead: () => (response) => void response.destroy(),
};
const kindOf = (n: number) =>
  ["fast", "slow", "limiting", "flapping", "fast", "fast", "slow", "limiting", "hanging", "dead"][
    n % 10
  ] ?? "fast";

type Hooks = Awaited<ReturnType<typeof mintHooks>>;
type Member = Awaited<ReturnType<Hooks["member"]>>;
interface Party {
  readonly kind: string;
  readonly hooks: Hooks;
  readonly receiver: HookReceiver;
  readonly stays: Member;
  /** Leaves next. */
  leaves: Member;
  /** When and how the consents of others ended. */
  readonly left: { member: Member; at: number; how: "revoked" | "narrowed" | "moved" }[];
  /** Arrival times of hits by player. */
  readonly hits: { sub: string; subject: string; at: number }[];
}

async function mintParty(n: number): Promise<Party> {
  const kind = kindOf(n);
  const receiver = await hookReceiver();
  const hooks = await mintHooks(world, receiver);
  const [stays, leaves] = [await hooks.member(), await hooks.member()];
  const party: Party = { kind, hooks, receiver, stays, leaves, left: [], hits: [] };
  const answer = kinds[kind]?.() ?? good;
  receiver.behave(({ body }, response) => {
    if (body.type === retaliationOpened.type)
      party.hits.push({ sub: body.data.sub, subject: body.data.subject.id, at: Date.now() });
    answer(response);
  });
  return party;
}

async function write(parties: readonly Party[], writer: number, until: number): Promise<void> {
  for (let n = 0; Date.now() < until; n++) {
    const party = parties[Math.floor(random() * parties.length)];
    if (!party) return;
    const { factionId } = party.hooks;
    const isLost = random() < 0.1;
    await database
      .transaction(async (tx) => {
        const code = `${writer}-${n}`;
        await tx.insert(retaliations).values({
          ...{ code, factionId, attackEnded: ctx.now(), defenderId: 1, defenderName: "Ours" },
          ...{ attackerId: 2, attackerName: "Theirs" },
        });
        await recordEvents(ctx, tx, [{ type: retaliationOpened, subject: code, factionId }]);
        // It commits after others that began later.
        if (n % 5 === 0) await tx.execute(sql`select pg_sleep(${random() / 20})`);
        if (isLost) throw new Error("rolled back");
      })
      .catch((error: Error) => {
        if (error.message !== "rolled back") throw error;
      });
    await wait(random() * 20);
  }
}

/** Another player comes in the place of the one that leaves. */
async function leave(party: Party, n: number): Promise<void> {
  const member = party.leaves;
  const { user, consentId } = member;
  const how = (["revoked", "narrowed", "moved"] as const)[n % 3] ?? "revoked";
  const narrowed = { consentId, shown: ["identity", "faction"], keep: ["identity"] } as const;
  if (how === "revoked") await revokeConsents(ctx, user, { consentIds: [consentId] });
  else if (how === "narrowed")
    await narrowConsent(ctx, user, {
      ...narrowed,
      shown: [...narrowed.shown],
      keep: [...narrowed.keep],
    });
  else
    await database.query
      .update(players)
      .set({ factionId: 1, factionSince: ctx.now() })
      .where(eq(players.id, user.playerId));
  party.left.push({ member, at: Date.now(), how });
  party.leaves = await party.hooks.member();
}

/** A player's waiting events at an endpoint, by subject. */
async function waiting({ hooks, stays }: Party): Promise<string[]> {
  const rows = await database.query
    .select({ subject: events.subject })
    .from(webhookDeliveries)
    .innerJoin(events, eq(events.seq, webhookDeliveries.seq))
    .where(
      and(
        eq(webhookDeliveries.endpointId, hooks.key.endpointId),
        eq(webhookDeliveries.playerId, stays.user.playerId),
        eq(webhookDeliveries.type, retaliationOpened.type),
      ),
    );
  return rows.map(({ subject }) => subject);
}

/** Stretches of the log that an endpoint was, or will be, sent as one `events.gap`. */
async function gaps({ hooks, receiver }: Party): Promise<Stretch[]> {
  const { clientId, endpointId } = hooks.key;
  const { gapAfter, seq } = webhookDeliveries;
  const rows = await database.query
    .select({ after: gapAfter, until: seq })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.endpointId, endpointId), isNotNull(gapAfter)));
  const position = (cursor: string) => readEventCursor(ctx.keyring, clientId, cursor)?.seq ?? 0;
  const sent = receiver
    .events()
    .filter(({ body }) => body.type === eventsGap.type)
    .map(({ body: { data } }) => ({ after: position(data.after), until: position(data.until) }));
  return [...rows.map(({ after, until }) => ({ after: after ?? until, until })), ...sent];
}

/** Revoked consents of which the receiver was sent neither the end nor a gap. */
async function untoldEnds(party: Party): Promise<string[]> {
  const { clientId } = party.hooks.key;
  const ends = await database.query
    .select({ seq: events.seq, playerId: events.playerId })
    .from(events)
    .where(and(eq(events.clientId, clientId), eq(events.type, grantEnded.type)));
  expect(ends).toHaveLength(party.left.filter(({ how }) => how === "revoked").length);
  const named = await gaps(party);
  const told = new Set(
    party.receiver
      .events()
      .flatMap(({ body }) => (body.type === grantEnded.type ? [body.data.sub] : [])),
  );
  return ends.flatMap(({ seq, playerId }) =>
    told.has(String(playerId)) || named.some(({ after, until }) => after < seq && seq <= until)
      ? []
      : [`player ${playerId} at ${seq}`],
  );
}

test("while consents end and processes are killed, each endpoint has been sent, or waits for, every hit that the domain's table holds, and nobody hears of a player a moment after the end", {
  timeout: (seconds + 600) * secondMs,
}, async () => {
  const parties: Party[] = [];
  for (let n = 0; n < 20; n++) parties.push(await mintParty(n));
  const running: Instance[] = [
    await instances.start(environment),
    await instances.start(environment),
  ];
  const until = Date.now() + seconds * secondMs;
  const kill = async () => {
    while (Date.now() < until) {
      await wait(3 * secondMs);
      await running.shift()?.kill();
      running.push(await instances.start(environment));
    }
  };
  const leaving = async () => {
    const begun = Date.now();
    for (let n = 0; n < departures; n++) {
      const next = begun + (n / departures) * 0.95 * seconds * secondMs;
      await wait(Math.max(0, next - Date.now()));
      const party = parties[n % parties.length];
      if (party) await leave(party, n);
    }
  };
  const writing = Array.from({ length: writers }, (_, writer) => write(parties, writer, until));
  await Promise.all([kill(), leaving(), ...writing]);
  await ctx.settled();

  const readHappened = () =>
    database.query
      .select({
        code: retaliations.code,
        factionId: retaliations.factionId,
        // Null until it is numbered.
        seq: sql<number | null>`${events.seq}`.mapWith(Number),
      })
      .from(retaliations)
      // A retaliation of more than five minutes has an event of its end as well.
      .leftJoin(
        events,
        and(eq(events.subject, retaliations.code), eq(events.type, retaliationOpened.type)),
      )
      .where(
        inArray(
          retaliations.factionId,
          parties.map(({ hooks }) => hooks.factionId),
        ),
      );
  const unnumbered = async () => (await readHappened()).filter(({ seq }) => seq === null).length;
  await expect.poll(unnumbered, { timeout: 2 * minuteMs, interval: 2 * secondMs }).toBe(0);
  const happened = (await readHappened()).map((hit) => ({ ...hit, seq: hit.seq ?? 0 }));
  expect(happened.length).toBeGreaterThan(seconds * 5);
  const missing = async (party: Party) => {
    // Read first: what is delivered meanwhile is then in both.
    const [waits, named] = await Promise.all([waiting(party), gaps(party)]);
    const came = new Set(
      party.hits.flatMap(({ sub, subject }) =>
        sub === String(party.stays.user.playerId) ? [subject] : [],
      ),
    );
    const known = new Set([...came, ...waits]);
    const lost = happened.filter(
      ({ code, factionId, seq }) =>
        factionId === party.hooks.factionId &&
        !known.has(code) &&
        !named.some(({ after, until }) => after < seq && seq <= until),
    );
    const isDone = party.kind !== "fast" || waits.length === 0;
    const seqs = lost.map(({ seq }) => seq).toSorted((one, other) => one - other);
    const where = { first: seqs[0], last: seqs.at(-1), waits: waits.length, named };
    return { kind: party.kind, lost: lost.length, isDone, ...(lost.length > 0 && where) };
  };
  const all = () => Promise.all(parties.map(missing));
  const ended = performance.now();
  await expect
    .poll(all, { timeout: 5 * minuteMs, interval: 2 * secondMs })
    .toEqual(parties.map(({ kind }) => ({ kind, lost: 0, isDone: true })));
  const drained = Math.round((performance.now() - ended) / secondMs);
  const came = parties.reduce((sum, { hits }) => sum + hits.length, 0);
  process.stdout.write(
    `soak: ${happened.length} events, ${departures} departures, ${came} requests, drained ${drained} s after the last event\n`,
  );
  // At-least-once delivery may repeat an event, but never invents one.
  const codes = new Set(happened.map(({ code }) => code));
  for (const { hits, left } of parties) {
    expect(hits.filter(({ subject }) => !codes.has(subject))).toEqual([]);
    const ends = new Map(left.map(({ member, at }) => [String(member.user.playerId), at]));
    const late = hits.filter(({ sub, at }) => at > (ends.get(sub) ?? at) + 2 * secondMs);
    expect(late).toEqual([]);
  }
  expect(parties.flatMap(({ left }) => left)).toHaveLength(departures);
  const fast = parties.filter(({ kind }) => kind === "fast");
  const untold = async () => (await Promise.all(fast.map(untoldEnds))).flat();
  await expect.poll(untold, { timeout: minuteMs, interval: 2 * secondMs }).toEqual([]);
  for (const instance of running) await instance.kill();
});
