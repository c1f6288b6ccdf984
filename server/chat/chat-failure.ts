import { isUpstreamError, type UpstreamError, upstreamError } from "#server/platform/upstream-error";

/**
 * What a failed call to the chat means for its caller. "gone": the thing itself is not there. "forbidden": we may not,
 * and asking again changes nothing. "refused": the chat does not understand the call. "retry": it may go well later.
 */
export type ChatFailureKind = "gone" | "forbidden" | "refused" | "retry";

/** A failed call to the chat. It carries neither the bot's token nor what was sent. */
export type ChatFailure = UpstreamError & { readonly upstream: "chat"; readonly kind: ChatFailureKind };

export function chatFailure(of: { kind: ChatFailureKind; detail: string; retryAfter?: number }): ChatFailure {
  const { kind, detail, ...more } = of;
  return upstreamError(detail, { name: "ChatFailure", upstream: "chat", kind, ...more }) as ChatFailure;
}

export const isChatFailure = (thrown: unknown): thrown is ChatFailure => isUpstreamError(thrown, "chat");
