import { z } from "zod";

/** How a card is coloured, by what it tells. */
export type Tone = "info" | "good" | "warning" | "error";

/** A button below a message: it opens an address, or sends an action back to us. */
export type ChatButton =
  | { readonly label: string; readonly url: string }
  | { readonly label: string; readonly action: string; readonly tone?: "good" | "error" };

/** A line of a card: a text, or a moment in Unix seconds that the chat shows as time to go or time past. */
export type ChatField =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly at: number };

/**
 * A message as we want it to stand in the chat, in no particular chat's words. All texts are plain: what the chat would read
 * as markup or as a mention is shown as it is written.
 */
export interface ChatMessage {
  /** Plain text above the card. */
  readonly text?: string;
  /** Roles that are mentioned in front of the text, as decimal snowflakes. Nobody else is ever called. */
  readonly mentions?: readonly string[];
  readonly card?: {
    readonly title: string;
    readonly body: string;
    readonly tone: Tone;
    readonly fields?: readonly ChatField[];
  };
  readonly buttons?: readonly ChatButton[];
}

const field = z.union([
  z.object({ name: z.string(), value: z.string() }),
  z.object({ name: z.string(), at: z.number().int() }),
]);
const button = z.union([
  z.object({ label: z.string(), url: z.string() }),
  z.object({ label: z.string(), action: z.string(), tone: z.enum(["good", "error"]).exactOptional() }),
]);

/** Reads a message back from where it was kept. */
export const ChatMessage: z.ZodType<ChatMessage> = z.object({
  text: z.string().exactOptional(),
  mentions: z.array(z.string()).exactOptional(),
  card: z
    .object({
      title: z.string(),
      body: z.string(),
      tone: z.enum(["info", "good", "warning", "error"]),
      fields: z.array(field).exactOptional(),
    })
    .exactOptional(),
  buttons: z.array(button).exactOptional(),
});
