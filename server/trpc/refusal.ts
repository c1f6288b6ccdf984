import { TRPCError } from "@trpc/server";
import { isSignInStale } from "#server/auth/fresh-sign-in";
import { type Failure, isFailure } from "#server/failures";

type Code = TRPCError["code"];

const brand = Symbol.for("adjutant.portal-refusal");

/** Why a procedure refused, for those who made the call: a word that a page can decide by, and a sentence to show. */
interface Refusal extends Error {
  readonly reason: string;
}

/** A refusal that the portal's pages know by its word. The message is public; the cause stays with us. */
export function refusal(why: { code: Code; reason: string; message: string; cause?: unknown }): TRPCError {
  const cause = Object.assign(new Error(why.message, { cause: why.cause }), { [brand]: true, reason: why.reason });
  return new TRPCError({ code: why.code, message: why.message, cause });
}

/** The word of a refusal that a procedure threw (to a server-side caller, or as the formatter sees it), if it is one. */
export function refusalReason(thrown: unknown): string | undefined {
  if (isRefusal(thrown)) return thrown.reason;
  const cause = causeOf(thrown);
  return isRefusal(cause) ? cause.reason : undefined;
}

/** The failure of the catalogue behind what a procedure threw, if there is one. */
export function failureBehind(thrown: unknown): Failure | undefined {
  if (isFailure(thrown)) return thrown;
  const cause = causeOf(thrown);
  return isFailure(cause) ? cause : undefined;
}

/** What a rule threw, as the transport's error; undefined for what nobody foresaw. */
export function publicError(thrown: unknown): TRPCError | undefined {
  if (isSignInStale(thrown))
    return refusal({ code: "FORBIDDEN", reason: "SIGN_IN_STALE", message: thrown.message, cause: thrown });
  if (isFailure(thrown))
    return new TRPCError({
      code: codes[thrown.kind.status] ?? "INTERNAL_SERVER_ERROR",
      message: thrown.message,
      cause: thrown,
    });
  return undefined;
}

const codes: Readonly<Record<number, Code>> = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  422: "UNPROCESSABLE_CONTENT",
  429: "TOO_MANY_REQUESTS",
  502: "BAD_GATEWAY",
  503: "SERVICE_UNAVAILABLE",
  504: "GATEWAY_TIMEOUT",
};

const isRefusal = (value: unknown): value is Refusal => typeof value === "object" && value !== null && brand in value;

const causeOf = (thrown: unknown): unknown =>
  typeof thrown === "object" && thrown !== null && "cause" in thrown ? thrown.cause : undefined;
