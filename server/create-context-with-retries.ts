import { setTimeout as wait } from "node:timers/promises";
import type { Context } from "./context";
import { getContext, type Overrides } from "./create-context";
import { isConnectionLost } from "./platform/connection-lost";
import type { Settings } from "./platform/env";
import { causesOf, describeError } from "./platform/errors";
import { createLog } from "./platform/log";

/** Milliseconds. */
const firstRetry = 1_000;
const longestRetry = 10_000;

export interface RetryOptions {
  readonly open: (parts: Overrides) => Promise<Context>;
  readonly wait: (milliseconds: number) => Promise<unknown>;
}

/** Exponential backoff: the database may still be starting. */
export async function createContextWithRetries(
  settings: Settings,
  parts: Overrides = {},
  waiting: RetryOptions = { open: getContext, wait },
): Promise<Context> {
  for (let retry = firstRetry; ; retry = Math.min(retry * 2, longestRetry)) {
    try {
      return await waiting.open(parts);
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      const log = parts.log ?? createLog(settings.logLevel);
      // The innermost cause names host and code; the statement that met it says nothing.
      const cause = causesOf(error).at(-1);
      log.warn(
        { error: describeError(cause), retryMilliseconds: retry },
        "the database does not answer; trying again",
      );
      await waiting.wait(retry);
    }
  }
}
