import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { listenWorks } from "#db/hints";
import { migrate } from "#db/migrate";
import { testPostgresUrl } from "#server/testing/database";
import { readEvents, untilTold } from "#server/testing/event-reader";
import { eventWorld, serveFront } from "#server/testing/event-world";
import { startPgBouncer } from "#server/testing/pgbouncer";
import { testContext } from "#server/testing/test-context";

const direct = await testPostgresUrl();
const pooler = await startPgBouncer(direct);
if (!pooler)
  process.stdout.write("note: no /usr/sbin/pgbouncer: the tests behind a pooler are skipped\n");
afterAll(() => pooler?.stop());

test.skipIf(!pooler).each([
  ["with a direct address for what needs a session, a hint is heard", direct, true],
  [
    "with no address past it, no hint is heard, and a look each second finds what happened",
    pooler?.url,
    false,
  ],
])(
  "behind PgBouncer in transaction mode %s; statements, transactions, streams and the list work",
  { timeout: 60_000 },
  async (_how, directUrl, hears) => {
    // Two instances, so that a connection of PostgreSQL meets the statements of both.
    const databases = [1, 2].map(() =>
      openPostgres({ url: pooler?.url ?? "", directUrl, deadline: 20_000 }),
    );
    const [one, two] = databases;
    if (!one || !two) throw new Error("no database");
    expect(await migrate(one)).toEqual([]);
    const here = await testContext({ database: one });
    const there = await testContext({ database: two, beside: here });
    const { ctx, clock } = here;
    const [near, far] = [await serveFront(ctx), await serveFront(there.ctx)];
    const { member, happen } = await eventWorld(ctx);
    const members = [await member(), await member(), await member()];
    const readers = await Promise.all(
      members.map(({ token }, at) => readEvents(at % 2 === 0 ? near.url : far.url, token)),
    );
    const expected = Array.from({ length: 12 }, (_, n) => `${hears} ${n}`);
    for (const subject of expected) {
      clock.advance(1);
      await happen(subject, subject.endsWith("2") ? there.ctx : ctx);
      const answers = members.map(({ token }) =>
        fetch(`${far.url}/api/v1/events`, { headers: { authorization: `Bearer ${token}` } }),
      );
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
    }
    for (const reader of readers) {
      await untilTold(reader, expected.at(-1) ?? "", 20_000);
      expect(reader.subjects()).toEqual(expected);
      reader.close();
    }
    expect(await listenWorks(two, 2_000)).toBe(hears);
    for (const database of databases) await database.close();
  },
);
