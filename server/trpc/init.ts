import { initTRPC, TRPCError } from "@trpc/server";
import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { describeError } from "#server/platform/errors";
import { publicError, publicShape, withRequestId } from "./refusal";
import { transformer } from "./transformer";

/** The context of a procedure's call, whichever way it came. CSRF was settled by the transport. */
export interface PortalContext {
  readonly context: Context;
  readonly user: PortalUser | null;
  readonly origin: Origin;
  /** The session cookie's value, valid or not. */
  readonly sessionToken: string | null;
  /** The value of the cookie that ties pending authorization requests to a browser. */
  readonly browserId: string | null;
  /** The value of the cookie that a right first factor leaves while the second is asked for. */
  readonly secondStepToken: string | null;
  readonly userAgent: string | null;
  /** Sends a Set-Cookie line along with the answer. A page cannot; form targets and the HTTP transport can. */
  readonly setCookie: (line: string) => void;
}

const t = initTRPC.context<PortalContext>().create({
  transformer,
  isDev: false,
  errorFormatter: ({ error, shape, ctx }) => publicShape({ error, shape, requestId: ctx?.origin.requestId }),
});

export const { router, createCallerFactory } = t;

/** Whatever a rule throws leaves as the transport's error; what nobody foresaw is logged under the request's id. */
const translated = t.middleware(async ({ ctx, path, next }) => {
  const result = await next();
  if (result.ok || result.error.code !== "INTERNAL_SERVER_ERROR") return result;
  const thrown = result.error.cause ?? result.error;
  const known = publicError(thrown);
  if (known) throw withRequestId(known, ctx.origin.requestId);
  ctx.context.log.error(
    { requestId: ctx.origin.requestId, path, error: describeError(thrown) },
    "a portal call failed",
  );
  withRequestId(result.error, ctx.origin.requestId);
  return result;
});

/** For everybody. */
export const publicProcedure = t.procedure.use(translated);

/** For those who are signed in; others get UNAUTHORIZED. */
export const userProcedure = publicProcedure.use(({ ctx, next }) => {
  if (!ctx.user) throw new TRPCError({ code: "UNAUTHORIZED", message: "Sign in first." });
  return next({ ctx: { ...ctx, user: ctx.user } });
});
