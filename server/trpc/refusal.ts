import { type TRPCDefaultErrorShape, TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { z } from "zod";
import { failureOf } from "#server/failure-of";
import { BackendError, type FailureDetails, isFailure } from "#server/failures";
import { isPortalRefusal } from "#server/portal-refusal";
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

export interface Refusal {
  readonly status: number;
  /** Code in the catalogue of failures. */
  readonly code?: number | undefined;
  readonly name?: string | undefined;
  readonly details?: FailureDetails | undefined;
  /** Reason of a portal refusal, or `details.reason`. */
  readonly reason?: string | undefined;
  /** Absent if a fixed sentence is shown. */
  readonly message?: string | undefined;
  readonly fields?: readonly FieldError[] | undefined;
  /** The first wrong field. */
  readonly field?: string | undefined;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
}

/** Drops the message of an unexpected error, which may show internals. */
export function refusalOf(thrown: unknown): Refusal {
  const ofProcedure = isTrpcError(thrown);
  const known = ofProcedure ? thrown.cause : thrown;
  if (isPortalRefusal(known)) {
    const { status, reason, message, retryAfter } = known;
    return { status, reason, message, retryAfter };
  }
  if (ofProcedure && !isFailure(known)) {
    const fields = fieldErrors(known);
    return { status: getHTTPStatusCodeFromError(thrown), fields, field: fields?.[0]?.field };
  }
  const { kind, message, details, retryAfter } = failureOf(known);
  const { code, name, status } = kind;
  if (code === BackendError.code) return { status };
  const { reason, errors: fields } = details ?? {};
  const field = fields?.[0]?.field;
  return { status, code, name, details, reason, message, fields, field, retryAfter };
}

export function publicErrorShape(input: {
  error: TRPCError;
  shape: TRPCDefaultErrorShape;
  requestId: string | undefined;
}) {
  const { error, shape, requestId } = input;
  const { code, name, details, reason, message, fields } = refusalOf(error);
  return {
    code: shape.code,
    message:
      message ??
      (fields && "Some fields are not right yet.") ??
      fixedSentences[error.code] ??
      `Something went wrong.${requestId ? ` Request id: ${requestId}` : ""}`,
    data: {
      code: shape.data.code,
      httpStatus: shape.data.httpStatus,
      path: shape.data.path ?? null,
      requestId: requestId ?? null,
      reason: reason ?? null,
      failure: code === undefined ? null : { code, name, details: details ?? null },
      fields: fields ?? null,
    },
  };
}

export function fieldErrors(cause: unknown): FieldError[] | undefined {
  // The error's class differs between the two module graphs.
  const parsed = Issues.safeParse(cause);
  if (!parsed.success) return undefined;
  return parsed.data.issues.map(({ path, message }) => ({ field: path.join("."), message }));
}

const maxReportedErrors = 50;

const Issues = z.object({
  name: z.literal(["ZodError", "$ZodError"]),
  // The caller controls how many issues there are.
  issues: z
    .array(z.unknown())
    .transform((issues) => issues.slice(0, maxReportedErrors))
    .pipe(
      z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })),
    ),
});

export function publicError(thrown: unknown): TRPCError | undefined {
  if (isPortalRefusal(thrown)) return errorOf(thrown.status, thrown);
  const failure = failureOf(thrown);
  return failure.kind.code === BackendError.code
    ? undefined
    : errorOf(failure.kind.status, failure);
}

const errorOf = (status: number, cause: Error): TRPCError =>
  new TRPCError({ code: codes[status] ?? "INTERNAL_SERVER_ERROR", message: cause.message, cause });

/** Next's error page shows the digest. */
export const withRequestId = <Thrown>(thrown: Thrown, requestId: string): Thrown =>
  thrown instanceof Error ? Object.assign(thrown, { digest: requestId }) : thrown;

export const isTrpcError = (thrown: unknown): thrown is TRPCError =>
  typeof thrown === "object" && thrown !== null && "name" in thrown && thrown.name === "TRPCError";

const codes: Readonly<Record<number, TRPCError["code"]>> = {
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
