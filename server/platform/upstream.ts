import { defineError } from "./errors";

/**
 * `fetch` or a test double. The signal is separate: Node stops following the signal of a
 * garbage-collected `Request`, and then nothing ends the call.
 */
export type Fetch = (request: Request, init: { signal: AbortSignal }) => Promise<Response>;

interface UpstreamFields {
  readonly upstream: "game" | "chat" | "chat-provider";
  /** Meaning for the caller; each upstream has its own kinds. */
  readonly kind: string;
  /** Seconds, if known. */
  readonly retryAfter?: number;
}

/** The message is for the log: no key, token or request content. */
export type UpstreamError = Error & UpstreamFields;

const kind = defineError<UpstreamFields>("UpstreamError");

export const upstreamError = kind.create;

export const isUpstreamError = (
  thrown: unknown,
  upstream: UpstreamError["upstream"],
): thrown is UpstreamError => kind.is(thrown) && thrown.upstream === upstream;

/** As `ECONNREFUSED`; other parts are not logged, since a message may quote the request. */
export function networkCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = [cause, error].map((each) =>
    typeof each === "object" && each !== null && "code" in each ? each.code : undefined,
  );
  return code.find((each) => typeof each === "string") ?? "no connection";
}
