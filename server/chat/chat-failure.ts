const brand = Symbol.for("adjutant.chat-failure");

/**
 * What a failed call to the chat means for its caller. "gone": the thing itself is not there. "forbidden": we may not,
 * and asking again changes nothing. "refused": the chat does not understand the call. "retry": it may go well later.
 */
export type ChatFailureKind = "gone" | "forbidden" | "refused" | "retry";

/** A failed call to the chat. It carries neither the bot's token nor what was sent. */
export type ChatFailure = Error & {
  readonly kind: ChatFailureKind;
  /** Seconds after which the same call may be made again, where the chat said so. */
  readonly retryAfter?: number;
};

export function chatFailure(of: { kind: ChatFailureKind; detail: string; retryAfter?: number }): ChatFailure {
  const error = new Error(of.detail);
  error.name = "ChatFailure";
  const more = of.retryAfter === undefined ? {} : { retryAfter: of.retryAfter };
  return Object.assign(error, { kind: of.kind, [brand]: true, ...more });
}

export const isChatFailure = (thrown: unknown): thrown is ChatFailure =>
  typeof thrown === "object" && thrown !== null && brand in thrown;
