/** How a card is coloured, by what it tells. */
export type Tone = "info" | "good" | "warning" | "error";

/** A button below a message: it opens an address, or sends an action back to us. */
export type ChatButton =
  | { readonly label: string; readonly url: string }
  | { readonly label: string; readonly action: string; readonly tone?: "good" | "error" };

/** A message as we want it to stand in the chat, in no particular chat's words. */
export interface ChatMessage {
  /** Plain text above the card. */
  readonly text?: string;
  /** Roles that the text mentions, as decimal snowflakes. */
  readonly mentions?: readonly string[];
  readonly card?: {
    readonly title: string;
    readonly body: string;
    readonly tone: Tone;
    readonly fields?: readonly { readonly name: string; readonly value: string }[];
  };
  readonly buttons?: readonly ChatButton[];
}
