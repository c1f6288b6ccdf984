import { type TRPCDefaultErrorShape, TRPCError } from "@trpc/server";
import { z } from "zod";
import { failureOf } from "#server/failure-of";
import { BackendError, type Failure, isFailure } from "#server/failures";
import { isPortalRefusal, type PortalRefusal } from "#server/portal-refusal";
import type { FieldError } from "#server/rest/respond";

const fixedSentences: Partial<Record<TRPCError["code"], string>> = {
  BAD_REQUEST: "The call could not be read.",
  PARSE_ERROR: "The call could not be read.",
  UNAUTHORIZED: "Sign in first.",
  FORBIDDEN: "This call was not sent from a page of the portal. Reload the page and try again.",
  NOT_FOUND: "There is no such procedure.",
  METHOD_NOT_SUPPORTED: "The procedure does not support this method.",
  PAYLOAD_TOO_LARGE: "The call is too large.",
  UNSUPPORTED_MEDIA_TYPE: "The body must be JSON.",
};

/**
 * The public shape of an error: sentences of our catalogues, else a fixed one for its code. Messages of libraries
 * and of the database stay inside.
 */
export function publicShape(input: {
  error: TRPCError;
  shape: TRPCDefaultErrorShape;
  requestId: string | undefined;
}) {
  const { error, shape, requestId } = input;
  const failure = failureBehind(error);
  const reason = refusalReason(error);
  const fields = fieldErrors(error.cause);
  const known =
    failure || reason !== undefined ? error.message : fields && "Some fields are not right yet.";
  return {
    code: shape.code,
    message:
      known ??
      fixedSentences[error.code] ??
      `Something went wrong.${requestId ? ` Request id: ${requestId}` : ""}`,
    data: {
      code: shape.data.code,
      httpStatus: shape.data.httpStatus,
      path: shape.data.path ?? null,
      requestId: requestId ?? null,
      /** A word that a page can decide by. */
      reason: reason ?? null,
      failure: failure
        ? { code: failure.kind.code, name: failure.kind.name, details: failure.details ?? null }
        : null,
      fields: fields ?? null,
    },
  };
}

/** The fields that the input's schema refused; undefined when the error is none of input. */
export function fieldErrors(cause: unknown): FieldError[] | undefined {
  // Told apart by shape: the error's class differs between the two module graphs.
  const parsed = Issues.safeParse(cause);
  if (!parsed.success) return undefined;
  return parsed.data.issues.map(({ path, message }) => ({ field: path.join("."), message }));
}

/** More help nobody. */
const maxReportedErrors = 50;

const Issues = z.object({
  name: z.literal(["ZodError", "$ZodError"]),
  // Cut before they are read: a caller decides how many there are.
  issues: z
    .array(z.unknown())
    .transform((issues) => issues.slice(0, maxReportedErrors))
    .pipe(
      z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })),
    ),
});

type Code = TRPCError["code"];

/** The refusal behind what a procedure threw (to a server-side caller, or as the formatter sees it), if it is one. */
export function refusalBehind(thrown: unknown): PortalRefusal | undefined {
  if (isPortalRefusal(thrown)) return thrown;
  const cause = causeOf(thrown);
  return isPortalRefusal(cause) ? cause : undefined;
}

/** The word of the refusal that a procedure threw, if it is one. */
export const refusalReason = (thrown: unknown): string | undefined => refusalBehind(thrown)?.reason;

/** The failure of the catalogue behind what a procedure threw, if there is one. */
export function failureBehind(thrown: unknown): Failure | undefined {
  if (isFailure(thrown)) return thrown;
  const cause = causeOf(thrown);
  return isFailure(cause) ? cause : undefined;
}

/** A thrown refusal or failure as the transport's error; undefined for an unexpected error. */
export function publicError(thrown: unknown): TRPCError | undefined {
  if (isPortalRefusal(thrown)) return errorOf(thrown.status, thrown);
  const failure = failureOf(thrown);
  return failure.kind.code === BackendError.code
    ? undefined
    : errorOf(failure.kind.status, failure);
}

const errorOf = (status: number, cause: Error): TRPCError =>
  new TRPCError({ code: codes[status] ?? "INTERNAL_SERVER_ERROR", message: cause.message, cause });

/** Gives an error the request's id as the digest that Next tells the browser: the page of the fault shows it. */
export const withRequestId = <Thrown>(thrown: Thrown, requestId: string): Thrown =>
  thrown instanceof Error ? Object.assign(thrown, { digest: requestId }) : thrown;

/** Whether something thrown came out of a procedure. */
export const isPortalError = (thrown: unknown): boolean =>
  typeof thrown === "object" && thrown !== null && "name" in thrown && thrown.name === "TRPCError";

/** The transport's code of what a procedure threw to a server-side caller. */
export function errorCode(thrown: unknown): Code {
  const code =
    typeof thrown === "object" && thrown !== null && "code" in thrown ? thrown.code : undefined;
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

const causeOf = (thrown: unknown): unknown =>
  typeof thrown === "object" && thrown !== null && "cause" in thrown ? thrown.cause : undefined;
