import { setTimeout as wait } from "node:timers/promises";
import { createContext } from "#server/create-context";
import type { Job } from "#server/jobs/job";
import { createRunner } from "#server/jobs/runner";
import { readSettings } from "#server/platform/env";

/** A killable worker in the middle of its only job, which never ends. */
const ctx = await createContext(readSettings());
const job: Job = {
  name: "held",
  cadence: { everySeconds: 3 },
  budget: 1,
  run: async () => {
    process.stdout.write("ready 0\n");
    await wait(3_600_000);
    return {};
  },
};
createRunner(ctx, [job]).start();
