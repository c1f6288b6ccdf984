import { TRPCError } from "@trpc/server";
import { isConfirmationWanted } from "#server/auth/confirmation";
import { BackendError, type Failure, isFailure } from "#server/failures";
import { failureOf } from "#server/rest/respond";

type Code = TRPCError["code"];

const brand = Symbol.for("adjutant.portal-refusal");

/** Why a procedure refused, for those who made the call: a word that a page can decide by, and a sentence to show. */
interface Refusal extends Error {
  readonly reason: string;
  /** Seconds after which a further try makes sense, where that is known. */
  readonly retryAfter: number | undefined;
}

export interface RefusalWords {
  readonly code: Code;
  readonly reason: string;
  readonly message: string;
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** A refusal that the portal's pages know by its word. The message is public; the cause stays with us. */
export function refusal({ code, reason, message, retryAfter, cause }: RefusalWords): TRPCError {
  const known = Object.assign(new Error(message, { cause }), { [brand]: true, reason, retryAfter });
  return new TRPCError({ code, message, cause: known });
}

/** The refusal behind what a procedure threw (to a server-side caller, or as the formatter sees it), if it is one. */
export function refusalBehind(thrown: unknown): Refusal | undefined {
  if (isRefusal(thrown)) return thrown;
  const cause = causeOf(thrown);
  return isRefusal(cause) ? cause : undefined;
}

/** The word of the refusal that a procedure threw, if it is one. */
export const refusalReason = (thrown: unknown): string | undefined => refusalBehind(thrown)?.reason;

/** The failure of the catalogue behind what a procedure threw, if there is one. */
export function failureBehind(thrown: unknown): Failure | undefined {
  if (isFailure(thrown)) return thrown;
  const cause = causeOf(thrown);
  return isFailure(cause) ? cause : undefined;
}

/** What a rule threw, as the transport's error; undefined for what nobody foresaw. */
export function publicError(thrown: unknown): TRPCError | undefined {
  if (isConfirmationWanted(thrown))
    return refusal({ code: "FORBIDDEN", reason: "CONFIRMATION_WANTED", message: thrown.message, cause: thrown });
  const failure = failureOf(thrown);
  if (failure.kind.code === BackendError.code) return undefined;
  const code = codes[failure.kind.status] ?? "INTERNAL_SERVER_ERROR";
  return new TRPCError({ code, message: failure.message, cause: failure });
}

/** Whether something thrown came out of a procedure. */
export const isPortalError = (thrown: unknown): boolean =>
  typeof thrown === "object" && thrown !== null && "name" in thrown && thrown.name === "TRPCError";

/** The transport's code of what a procedure threw to a server-side caller. */
export function errorCode(thrown: unknown): Code {
  const code = typeof thrown === "object" && thrown !== null && "code" in thrown ? thrown.code : undefined;
  return Object.values(codes).find((known) => known === code) ?? "INTERNAL_SERVER_ERROR";
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
