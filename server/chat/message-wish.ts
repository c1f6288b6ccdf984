import type { ChatMessage } from "./message";

/** Where a message is to stand: in a channel, or in the direct channel of somebody. */
export type ChatPlace = { readonly channelId: bigint } | { readonly recipientId: bigint };

/** How a message is to stand in the chat. */
export interface MessageWish {
  /** What it is about, `vault-request:12`: the key of the message, at most one row each. */
  readonly subject: string;
  readonly to: ChatPlace;
  readonly message: ChatMessage;
}
