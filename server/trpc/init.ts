import { initTRPC, TRPCError } from "@trpc/server";
import type { Context } from "#server/context";
import { describeError } from "#server/platform/errors";
import type { PortalContext } from "./portal-context";
import { publicError, publicShape, withRequestId } from "./refusal";
import { transformer } from "./transformer";

const t = initTRPC.context<PortalContext>().create({
  transformer,
  isDev: false,
  errorFormatter: ({ error, shape, ctx }) =>
    publicShape({ error, shape, requestId: ctx?.from.requestId }),
});

export const { router, createCallerFactory } = t;

const translated = t.middleware(async ({ ctx, path, next }) => {
  const result = await next();
  if (result.ok || result.error.code !== "INTERNAL_SERVER_ERROR") return result;
  const thrown = result.error.cause ?? result.error;
  const known = publicError(thrown);
  if (known) throw withRequestId(known, ctx.from.requestId);
  ctx.context.log.error(
    { requestId: ctx.from.requestId, path, error: describeError(thrown) },
    "a portal call failed",
  );
  // Without a cause, because Next prints thrown errors.
  throw withRequestId(new TRPCError({ code: "INTERNAL_SERVER_ERROR" }), ctx.from.requestId);
});

export const publicProcedure = t.procedure.use(translated);

/** Others get UNAUTHORIZED. */
export const userProcedure = publicProcedure.use(({ ctx, next }) => {
  if (!ctx.user) throw new TRPCError({ code: "UNAUTHORIZED", message: "Sign in first." });
  return next({ ctx: { ...ctx, user: ctx.user } });
});

/** The resolver of a procedure that adds a guard and an input schema to a verb, and nothing else. */
export const calling =
  <By, Input, Answer>(verb: (ctx: Context, by: By, input: Input) => Answer) =>
  ({
    ctx,
    input,
  }: {
    readonly ctx: { readonly context: Context; readonly user: By };
    readonly input: Input;
  }) =>
    verb(ctx.context, ctx.user, input);
