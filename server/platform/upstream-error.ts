import { defineError } from "./define-error";

interface Fields {
  /** Whose service failed. */
  readonly upstream: "game" | "chat" | "chat-provider";
  /** What it means for the caller; each upstream has kinds of its own. */
  readonly kind: string;
  /** Seconds after which the same call may be made again, where that is known. */
  readonly retryAfter?: number;
}

/** A failed call to a service of somebody else. The message is for the log: it holds no key, no token and nothing that was sent. */
export type UpstreamError = Error & Fields;

const kind = defineError<Fields>("UpstreamError");

export const upstreamError = kind.create;

/** Whether something thrown is the failure of this upstream. */
export const isUpstreamError = (thrown: unknown, upstream: UpstreamError["upstream"]): thrown is UpstreamError =>
  kind.is(thrown) && thrown.upstream === upstream;
