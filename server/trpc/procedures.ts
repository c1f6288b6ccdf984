import { initTRPC, TRPCError } from "@trpc/server";
import superjson, { type SuperJSONResult } from "superjson";
import { assertConfirmed } from "#server/auth/confirmation";
import { mayAdminister } from "#server/auth/second-factor/second-factor-acts";
import type { Context } from "#server/context";
import { serializeError } from "#server/platform/errors";
import { portalRefusal } from "#server/portal-refusal";
import type { PortalContext } from "./portal-context";
import { publicError, publicErrorShape, withRequestId } from "./refusal";

const mostAnnotations = 100;
/** Without sets and maps, which SuperJSON walks from the start for each annotation inside. */
const annotatedTypes: ReadonlySet<unknown> = new Set(["undefined", "Date", "bigint", "number"]);

/** Limits annotations, because each may cost as much as the whole input. */
export const transformer = {
  input: {
    serialize: (input: unknown) => superjson.serialize(input),
    deserialize: (sent: SuperJSONResult | undefined): unknown => {
      if (!isBounded(sent?.meta)) throw new TRPCError({ code: "BAD_REQUEST" });
      try {
        return sent && superjson.deserialize(sent, { inPlace: true });
      } catch (cause) {
        throw new TRPCError({ code: "BAD_REQUEST", cause });
      }
    },
  },
  output: superjson,
};

function isBounded(meta: SuperJSONResult["meta"]): boolean {
  const values = leaves(meta?.values);
  const equalities = leaves(meta?.referentialEqualities);
  return values?.every((type) => annotatedTypes.has(type)) === true && equalities !== undefined;
}

function leaves(annotations: unknown): unknown[] | undefined {
  const waiting = [annotations];
  const found: unknown[] = [];
  for (const entry of waiting) {
    if (typeof entry !== "object" || entry === null) {
      if (entry !== undefined) found.push(entry);
      continue;
    }
    const inside = Object.values(entry);
    if (waiting.length + inside.length > mostAnnotations) return undefined;
    waiting.push(...inside);
  }
  return found;
}

const t = initTRPC.context<PortalContext>().create({
  transformer,
  isDev: false,
  errorFormatter: ({ error, shape, ctx }) =>
    publicErrorShape({ error, shape, requestId: ctx?.from.requestId }),
});

export const { router, createCallerFactory } = t;

const translated = t.middleware(async ({ ctx, path, next }) => {
  const result = await next();
  if (result.ok || result.error.code !== "INTERNAL_SERVER_ERROR") return result;
  const thrown = result.error.cause ?? result.error;
  const known = publicError(thrown);
  if (known) throw withRequestId(known, ctx.from.requestId);
  ctx.context.log.error(
    { requestId: ctx.from.requestId, path, error: serializeError(thrown) },
    "a portal call failed",
  );
  // Leaves out the cause, which Next would print.
  throw withRequestId(new TRPCError({ code: "INTERNAL_SERVER_ERROR" }), ctx.from.requestId);
});

export const publicProcedure = t.procedure.use(translated);

export const userProcedure = publicProcedure.use(({ ctx, next }) => {
  if (!ctx.user) throw new TRPCError({ code: "UNAUTHORIZED", message: "Sign in first." });
  return next({ ctx: { ...ctx, user: ctx.user } });
});

export const confirmedProcedure = userProcedure.use(({ ctx, next }) => {
  assertConfirmed(ctx.context, ctx.user);
  return next();
});

/** Checked before the input is parsed, so that only admins see that the procedure exists. */
export const adminProcedure = publicProcedure.use(({ ctx, next }) => {
  const { user } = ctx;
  if (!user?.admin) throw new TRPCError({ code: "NOT_FOUND" });
  if (!mayAdminister(user, ctx.context.settings))
    throw portalRefusal({
      status: 403,
      reason: "SECOND_FACTOR_WANTED",
      message:
        "Administration needs a second factor. Set it up on your account page, or confirm with a code of it.",
    });
  return next({ ctx: { ...ctx, user } });
});

export const confirmedAdminProcedure = adminProcedure.use(({ ctx, next }) => {
  assertConfirmed(ctx.context, ctx.user);
  return next();
});

/** Resolver of a procedure that only adds a guard and a schema to a verb. */
export const resolverOf =
  <By, Input, Answer>(verb: (ctx: Context, by: By, input: Input) => Answer) =>
  ({
    ctx,
    input,
  }: {
    readonly ctx: { readonly context: Context; readonly user: By };
    readonly input: Input;
  }) =>
    verb(ctx.context, ctx.user, input);
