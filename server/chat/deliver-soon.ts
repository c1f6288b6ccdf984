import type { Context } from "#server/context";
import { deliverDue } from "./deliver-due";

/** Delivers what was queued, after the answer. Call it after the commit; what fails here is the job's to try again. */
export const deliverSoon = (ctx: Context): void =>
  ctx.defer(async () => {
    await deliverDue(ctx);
  });
