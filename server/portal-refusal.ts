import { defineError } from "./platform/errors";

interface Fields {
  /** A word that pages decide by. */
  readonly reason: string;
  /** HTTP's. */
  readonly status: number;
  /** Seconds after which a further try makes sense, where that is known. */
  readonly retryAfter: number | undefined;
}

/** The portal refuses what a page asked for. The message is public; the cause is for the log. */
export type PortalRefusal = Error & Fields;

const kind = defineError<Fields>("PortalRefusal");

/** A refusal, ready to be thrown; `server/trpc/refusal.ts` makes the transport's error of it, `app/_lib/form-page.ts` a page. */
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

/** Whether something thrown is such a refusal, for one reason if `reason` is given. */
export const isPortalRefusal = (thrown: unknown, reason?: string): thrown is PortalRefusal =>
  kind.is(thrown) && (reason === undefined || thrown.reason === reason);
