import type { Context } from "#server/context";
import { isConnectionLost } from "#server/platform/connection-lost";
import { describeError } from "#server/platform/describe-error";

/** A lost connection is reported by whoever used it. What else nobody caught leaves the process in an unknown state. */
export function surviveLostConnections(ctx: Context): void {
  process.on("unhandledRejection", (error) => {
    ctx.log.error({ error: describeError(error) }, "a rejection was not handled");
  });
  process.on("uncaughtException", (error) => {
    ctx.log.error({ error: describeError(error) }, "an exception was not caught");
    if (!isConnectionLost(error)) process.exit(1);
  });
}
