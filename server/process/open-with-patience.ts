import { setTimeout as wait } from "node:timers/promises";
import { type Context, getContext, type Parts } from "#server/context";
import { isConnectionLost } from "#server/platform/connection-lost";
import { describeError } from "#server/platform/describe-error";
import type { Settings } from "#server/platform/env";
import { openLog } from "#server/platform/log";

/** Milliseconds. */
const firstRetry = 1_000;
const longestRetry = 10_000;

/** Opens the process's context. A database that is down may still be starting: it is waited for, longer each time. */
export async function openWithPatience(settings: Settings, parts: Parts = {}): Promise<Context> {
  for (let retry = firstRetry; ; retry = Math.min(retry * 2, longestRetry)) {
    try {
      return await getContext(parts);
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      const fields = { error: describeError(error), retryMilliseconds: retry };
      openLog(settings.logLevel).warn(fields, "the database does not answer; trying again");
      await wait(retry);
    }
  }
}
