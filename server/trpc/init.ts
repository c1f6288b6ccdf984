import { initTRPC, TRPCError } from "@trpc/server";
import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import { assertConfirmed } from "#server/auth/confirmation";
import { browserCookieName, readCookie, secondStepCookieName, sessionCookieName } from "#server/auth/cookies";
import { mayAdminister } from "#server/auth/second-factor/second-factor-acts";
import { readSession } from "#server/auth/sessions";
import type { Context } from "#server/context";
import { describeError } from "#server/platform/errors";
import { peerAddress } from "#server/platform/peer-address";
import { portalRefusal } from "#server/portal-refusal";
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

/** The caller as a transport knows it. */
export interface Caller {
  /** The Cookie header. */
  readonly cookies: string | null;
  readonly userAgent: string | null;
  readonly origin: Origin;
  readonly setCookie: (line: string) => void;
}

/** The caller of a page or a form. The front gives each such request its id, over whatever a client sent. */
export const readCaller = (headers: Headers, { ids, settings }: Context): Omit<Caller, "setCookie"> => ({
  cookies: headers.get("cookie"),
  userAgent: headers.get("user-agent"),
  origin: {
    requestId: headers.get("x-request-id") ?? ids.request(),
    address: peerAddress(headers, settings),
  },
});

/** Finds out who calls: the session cookie alone tells. A bearer token means nothing here. */
export async function createPortalContext(context: Context, caller: Caller): Promise<PortalContext> {
  const { https } = context.settings;
  const sessionToken = readCookie(caller.cookies, sessionCookieName(https));
  return {
    context,
    user: await readSession(context, sessionToken),
    origin: caller.origin,
    sessionToken,
    browserId: readCookie(caller.cookies, browserCookieName(https)),
    secondStepToken: readCookie(caller.cookies, secondStepCookieName(https)),
    userAgent: caller.userAgent,
    setCookie: caller.setCookie,
  };
}

const t = initTRPC.context<PortalContext>().create({
  transformer,
  isDev: false,
  errorFormatter: ({ error, shape, ctx }) => publicShape({ error, shape, requestId: ctx?.origin.requestId }),
});

export const { router, createCallerFactory } = t;

/** What a rule throws leaves as the transport's error; an unexpected one is logged under the request's id. */
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

/** For those who confirmed lately who they are; others get FORBIDDEN with the reason CONFIRMATION_WANTED. */
export const confirmedProcedure = userProcedure.use(({ ctx, next }) => {
  assertConfirmed(ctx.context, ctx.user);
  return next();
});

/**
 * For players that ADMIN_USER_IDS names and whose session passed a second factor. To anybody else than an admin, signed in or
 * not, it looks like a procedure that does not exist; it is checked before the input is read.
 */
export const adminProcedure = publicProcedure.use(({ ctx, next }) => {
  const { user } = ctx;
  if (!user?.admin) throw new TRPCError({ code: "NOT_FOUND" });
  if (!mayAdminister(user, ctx.context.settings))
    throw portalRefusal({
      status: 403,
      reason: "SECOND_FACTOR_WANTED",
      message: "Administration needs a second factor. Set it up on your account page, or confirm with a code of it.",
    });
  return next({ ctx: { ...ctx, user } });
});

/** For admins who confirmed lately who they are: every act of theirs wants that. */
export const confirmedAdminProcedure = adminProcedure.use(({ ctx, next }) => {
  assertConfirmed(ctx.context, ctx.user);
  return next();
});
