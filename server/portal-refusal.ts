import { defineError } from "./platform/errors";

interface Fields {
  readonly reason: string;
  readonly status: number;
  /** Seconds. */
  readonly retryAfter: number | undefined;
}

/** The message is public; the cause is for the log. */
export type PortalRefusal = Error & Fields;

const kind = defineError<Fields>("PortalRefusal");

export function portalRefusal(refused: {
  readonly reason: string;
  readonly status: number;
  readonly message: string;
  readonly name?: string;
  readonly retryAfter?: number;
  readonly cause?: unknown;
}): PortalRefusal {
  const { message, cause, name = "PortalRefusal", reason, status, retryAfter } = refused;
  return kind.create(message, { name, reason, status, retryAfter }, cause);
}

export const isPortalRefusal = (thrown: unknown, reason?: string): thrown is PortalRefusal =>
  kind.is(thrown) && (reason === undefined || thrown.reason === reason);
