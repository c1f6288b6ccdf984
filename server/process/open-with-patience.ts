import { setTimeout as wait } from "node:timers/promises";
import { type Context, getContext, type Parts } from "#server/context";
import { isConnectionLost } from "#server/platform/connection-lost";
import { describeError } from "#server/platform/describe-error";
import type { Settings } from "#server/platform/env";
import { openLog } from "#server/platform/log";

/** Milliseconds. */
const firstRetry = 1_000;
const longestRetry = 10_000;

/** How a context is opened, and how time passes between two attempts. */
export interface Patience {
  readonly open: (parts: Parts) => Promise<Context>;
  readonly wait: (milliseconds: number) => Promise<unknown>;
}

/** Opens the process's context. A database that is down may still be starting: it is waited for, longer each time. */
export async function openWithPatience(
  settings: Settings,
  parts: Parts = {},
  patience: Patience = { open: getContext, wait },
): Promise<Context> {
  for (let retry = firstRetry; ; retry = Math.min(retry * 2, longestRetry)) {
    try {
      return await patience.open(parts);
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      const log = parts.log ?? openLog(settings.logLevel);
      log.warn({ error: describeError(error), retryMilliseconds: retry }, "the database does not answer; trying again");
      await patience.wait(retry);
    }
  }
}
