import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { claimSlots, jobWork } from "#server/jobs/store";
import { secondMs } from "#server/platform/time";
import { testPostgresUrl } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { type Claim, leaseMs } from "./leases";
import { createWorker } from "./worker";

const database = openPostgres({ url: await testPostgresUrl(), pools: { job: 1 } });
const { ctx } = await testContext({ database });

test("work keeps its lease while jobs hold every background connection", {
  timeout: 60_000,
}, async () => {
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  let lost = 0;
  let isClaimed = false;
  const worker = createWorker<Claim>(ctx, {
    name: "test",
    table: jobWork,
    claim: async () => {
      if (isClaimed) return { items: [], dueAt: null };
      isClaimed = true;
      const { claimed } = await claimSlots(
        database.query,
        [{ job: "kept", slot: ctx.now() }],
        ctx.now(),
      );
      return { items: claimed, dueAt: null };
    },
    perform: () => over,
    lose: () => {
      lost += 1;
    },
    stop: () => {},
  });
  worker.start();
  await worker.look();
  const seconds = leaseMs / secondMs + 2;
  await database.background.query.execute(sql`select pg_sleep(${seconds})`);
  expect(lost).toBe(0);
  end();
  await worker.stop(secondMs);
  await database.close();
});
