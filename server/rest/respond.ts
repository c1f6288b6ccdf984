import {
  BackendError,
  type Failure,
  InsufficientPermissions,
  InvalidAuthenticationInformation,
  isFailure,
  NoAuthenticationInformation,
  ServiceUnavailable,
  UnknownElement,
} from "#server/failures";
import { isGameError } from "#server/game/game-error";
import { failureOfGame } from "#server/game/game-failure";
import { isConnectionLost } from "#server/platform/connection-lost";
import { retryAfterHeader } from "#server/platform/retry-after";
import { writeJson } from "./write-json";

/** An answer on its way out, before the headers that every answer carries. */
export interface HttpResult {
  readonly status: number;
  /** What this answer says beyond the constant headers; may override them. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, or null for an answer without a body. */
  readonly body: string | null;
  /** The catalogue's code, where it is a failure. */
  readonly failureCode: number | null;
}

/** A field of the request that is wrong, as `details.errors` lists it. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** The failure that lists every bad field. */
export const badFields = (errors: readonly FieldError[]): Failure =>
  UnknownElement.because({
    message: `The request has ${errors.length === 1 ? "a value that is" : "values that are"} missing, malformed or unknown: ${errors.map((error) => error.field).join(", ")}.`,
    details: { errors },
  });

/** Anything thrown, as a failure of the catalogue. What nobody foresaw becomes the fixed sentence; its cause is for the log. */
export function failureOf(thrown: unknown): Failure {
  if (isFailure(thrown)) return thrown;
  if (isGameError(thrown)) return failureOfGame(thrown);
  if (isConnectionLost(thrown)) return ServiceUnavailable.because({ cause: thrown });
  return BackendError.because({ cause: thrown });
}

/** The one place where a failure gets its status, its JSON and its headers. */
export function failureResult(failure: Failure): HttpResult {
  const { code, name, status } = failure.kind;
  const body = writeJson({ code, name, message: failure.message, details: failure.details });
  return { status, headers: headersOf(failure), body, failureCode: code };
}

function headersOf(failure: Failure): Record<string, string> {
  const headers: Record<string, string> = { ...retryAfterHeader(failure.kind.status, failure.retryAfter) };
  const challenge = challengeOf(failure);
  if (challenge) headers["WWW-Authenticate"] = challenge;
  return headers;
}

const realm = 'Bearer realm="adjutant"';

/** RFC 6750 section 3: no `error` where no credentials came, so that a client learns the scheme and nothing else. */
function challengeOf({ kind, details }: Failure): string | undefined {
  if (kind.code === InvalidAuthenticationInformation.code)
    return `${realm}, error="invalid_token", error_description="${kind.message}"`;
  if (kind.code === InsufficientPermissions.code) {
    const required = details?.required;
    const scope = Array.isArray(required) ? `, scope="${required.join(" ")}"` : "";
    return `${realm}, error="insufficient_scope"${scope}`;
  }
  return kind.status === NoAuthenticationInformation.status ? realm : undefined;
}
