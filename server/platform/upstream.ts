import { defineError } from "./errors";

/** `init` has the signal, because Node stops following that of a garbage-collected `Request`. */
export type Fetch = (request: Request, init: { signal: AbortSignal }) => Promise<Response>;

interface UpstreamFields {
  readonly upstream: "game" | "chat" | "chat-provider";
  readonly kind: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** The message is logged, so it must hold no key, token or request content. */
export type UpstreamError = Error & UpstreamFields;

const kind = defineError<UpstreamFields>("UpstreamError");

export const upstreamError = kind.create;

export const isUpstreamError = (
  thrown: unknown,
  upstream: UpstreamError["upstream"],
): thrown is UpstreamError => kind.is(thrown) && thrown.upstream === upstream;

/** Returns only the code, because other parts may quote the request. */
export function networkCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = [cause, error].map((each) =>
    typeof each === "object" && each !== null && "code" in each ? each.code : undefined,
  );
  return code.find((each) => typeof each === "string") ?? "no connection";
}
