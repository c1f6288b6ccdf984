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
 * Sentences of our catalogues, else a fixed one per code; messages of libraries and the database
 * stay inside.
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
      reason: reason ?? null,
      failure: failure
        ? { code: failure.kind.code, name: failure.kind.name, details: failure.details ?? null }
        : null,
      fields: fields ?? null,
    },
  };
}

export function fieldErrors(cause: unknown): FieldError[] | undefined {
  // By shape: the error's class differs between the two module graphs.
  const parsed = Issues.safeParse(cause);
  if (!parsed.success) return undefined;
  return parsed.data.issues.map(({ path, message }) => ({ field: path.join("."), message }));
}

const maxReportedErrors = 50;

const Issues = z.object({
  name: z.literal(["ZodError", "$ZodError"]),
  // Cut before parsing, because the caller controls the number.
  issues: z
    .array(z.unknown())
    .transform((issues) => issues.slice(0, maxReportedErrors))
    .pipe(
      z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })),
    ),
});

type Code = TRPCError["code"];

export function refusalBehind(thrown: unknown): PortalRefusal | undefined {
  if (isPortalRefusal(thrown)) return thrown;
  const cause = causeOf(thrown);
  return isPortalRefusal(cause) ? cause : undefined;
}

export const refusalReason = (thrown: unknown): string | undefined => refusalBehind(thrown)?.reason;

export function failureBehind(thrown: unknown): Failure | undefined {
  if (isFailure(thrown)) return thrown;
  const cause = causeOf(thrown);
  return isFailure(cause) ? cause : undefined;
}

export function publicError(thrown: unknown): TRPCError | undefined {
  if (isPortalRefusal(thrown)) return errorOf(thrown.status, thrown);
  const failure = failureOf(thrown);
  return failure.kind.code === BackendError.code
    ? undefined
    : errorOf(failure.kind.status, failure);
}

const errorOf = (status: number, cause: Error): TRPCError =>
  new TRPCError({ code: codes[status] ?? "INTERNAL_SERVER_ERROR", message: cause.message, cause });

/** Next passes the digest to the browser; the error page shows it. */
export const withRequestId = <Thrown>(thrown: Thrown, requestId: string): Thrown =>
  thrown instanceof Error ? Object.assign(thrown, { digest: requestId }) : thrown;

export const isPortalError = (thrown: unknown): boolean =>
  typeof thrown === "object" && thrown !== null && "name" in thrown && thrown.name === "TRPCError";

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
