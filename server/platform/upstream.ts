import { defineError } from "./errors";

/**
 * The platform's fetch, or its replacement: the simulator, a test's double. The signal goes beside the request: Node
 * stops following the signal of a `Request` that was garbage-collected, and then nothing ends the call.
 */
export type Fetch = (request: Request, init: { signal: AbortSignal }) => Promise<Response>;

interface UpstreamFields {
  readonly upstream: "game" | "chat" | "chat-provider";
  /** Its meaning for the caller; each upstream has kinds of its own. */
  readonly kind: string;
  /** Seconds after which the same call may be made again, where that is known. */
  readonly retryAfter?: number;
}

/**
 * A failed call to another service. The message is for the log: it holds no key, no token and
 * nothing that was sent.
 */
export type UpstreamError = Error & UpstreamFields;

const kind = defineError<UpstreamFields>("UpstreamError");

export const upstreamError = kind.create;

/** Whether something thrown is the failure of this upstream. */
export const isUpstreamError = (
  thrown: unknown,
  upstream: UpstreamError["upstream"],
): thrown is UpstreamError => kind.is(thrown) && thrown.upstream === upstream;

/** The code of a failed connection (`ECONNREFUSED`): nothing else of it is logged, since a message may quote the request. */
export function networkCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = [cause, error].map((each) =>
    typeof each === "object" && each !== null && "code" in each ? each.code : undefined,
  );
  return code.find((each) => typeof each === "string") ?? "no connection";
}
