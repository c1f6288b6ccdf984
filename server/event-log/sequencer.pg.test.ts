import { setTimeout as wait } from "node:timers/promises";
import { asc, gt, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { type Database, openPostgres } from "#db/client";
import { eventInbox, events } from "#db/schema/events";
import { testPostgresUrl } from "#server/testing/database";
import { recordedLog } from "#server/testing/recorded-log";
import { createSequencer } from "./sequencer";
import { insertEvents, readLogEnd } from "./store";

const url = await testPostgresUrl();
const databases = [openPostgres({ url }), openPostgres({ url }), openPostgres({ url })] as const;
const [one, two, watcher] = databases;
const sequencerOn = (database: Database) =>
  createSequencer({ database, log: recordedLog(), defer: (work) => void work(), watches: false });

const event = (subject: string) => ({
  id: crypto.randomUUID(),
  type: "retaliation.opened",
  scope: null,
  at: new Date(),
  subject,
  data: {},
});

test("of two thousand events of eight writers, whose transactions overlap, a reader by number meets each once, without gaps, as they commit", async () => {
  const written: string[] = [];
  let writing = true;
  const write = async (database: Database, writer: number) => {
    for (let number = 0; number < 250; number++) {
      const subject = `${writer}-${number}`;
      await database
        .transaction(async (tx) => {
          await insertEvents(tx, [event(subject)]);
          // It commits later than others that began after it.
          if (number % 3 === 0) await tx.execute(sql`select pg_sleep(${Math.random() / 100})`);
          if (number % 50 === 49) throw new Error("rolled back");
          written.push(subject);
        })
        .catch(() => {});
    }
  };
  const number = async (database: Database) => {
    const sequencer = sequencerOn(database);
    while (writing) {
      await sequencer.run();
      await wait(1);
    }
  };
  const met: { seq: number; subject: string }[] = [];
  const read = async () => {
    const rows = await watcher.query
      .select({ seq: events.seq, subject: events.subject })
      .from(events)
      .where(gt(events.seq, met.at(-1)?.seq ?? 0))
      .orderBy(asc(events.seq));
    met.push(...rows);
  };
  const reading = (async () => {
    while (writing) await read();
  })();
  const numbering = [number(one), number(two)];
  await Promise.all(
    Array.from({ length: 8 }, (_, writer) => write(writer % 2 === 0 ? one : two, writer)),
  );
  writing = false;
  await Promise.all([...numbering, reading]);
  await sequencerOn(one).run();
  await read();
  expect(met.map(({ subject }) => subject).sort()).toEqual(written.sort());
  expect(met.map(({ seq }) => seq)).toEqual(met.map((_, at) => at + 1));
  expect(await watcher.query.$count(eventInbox)).toBe(0);
});

test("the numbers of a process that dies while it numbers are given by the next, and none twice", async () => {
  const before = (await readLogEnd(watcher.query)).seq;
  await insertEvents(one.query, [event("left behind")]);
  const dying = two.transaction(async (tx) => {
    await tx.execute(sql`update event_log set seq = seq + 1 where not is_over`);
    await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`);
  });
  await expect(dying).rejects.toThrow();
  expect(await sequencerOn(one).run()).toBe(1);
  expect(await readLogEnd(watcher.query)).toMatchObject({ seq: before + 1 });
});

test("a log that passes a partition's end goes on in the next", async () => {
  await one.query.execute(sql`update event_log set seq = 499998 where not is_over`);
  await insertEvents(one.query, [event("last"), event("first of the next"), event("second")]);
  expect(await sequencerOn(one).run()).toBe(3);
  const rows = await watcher.query
    .select({ seq: events.seq })
    .from(events)
    .where(gt(events.seq, 499_998));
  expect(rows.map(({ seq }) => seq)).toEqual([499_999, 500_000, 500_001]);
  for (const database of databases) await database.close();
});
