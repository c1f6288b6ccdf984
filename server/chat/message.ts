import { z } from "zod";

const largest = 2n ** 63n - 1n;

/** An id of the chat: a positive 64-bit integer, written as decimal text. It never passes through a JavaScript number. */
export const SnowflakeText = z
  .string()
  .regex(/^[1-9][0-9]{0,18}$/, "must be a number")
  .transform((text) => BigInt(text))
  .refine((id) => id <= largest, "is too large");

/** How a card is coloured, by what it tells. */
export type MessageTone = "info" | "good" | "warning" | "error";

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
    readonly tone: MessageTone;
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
  z.object({
    label: z.string(),
    action: z.string(),
    tone: z.enum(["good", "error"]).exactOptional(),
  }),
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

/** Where a message is to stand: in a channel, or in the direct channel of somebody. */
export type ChatPlace = { readonly channelId: bigint } | { readonly recipientId: bigint };

/** How a message is to stand in the chat. */
export interface DesiredMessage {
  /** What it is about, `vault-request:12`: the key of the message, at most one row each. */
  readonly subject: string;
  readonly to: ChatPlace;
  readonly message: ChatMessage;
}

const colours: Readonly<Record<MessageTone, number>> = {
  error: 0xc83f49,
  good: 0x32cd32,
  info: 0x7df9ff,
  warning: 0x755fbe,
};

const buttonStyle = { plain: 2, good: 3, error: 4, link: 5 };
const buttonKind = 2;
const rowKind = 1;
const buttonsInARow = 5;

/** The chat refuses a message with a longer text; characters. */
const most = {
  text: 1_900,
  title: 256,
  body: 4_000,
  fieldName: 256,
  fieldValue: 1_000,
  fields: 25,
  label: 80,
};

/** Only the user sees it. */
export const privateFlag = 64;

/** A message in the chat API's own words. What is not said is taken away where an earlier message stands. */
export function messageBody({ text = "", mentions = [], card, buttons = [] }: ChatMessage) {
  const called = mentions.map((role) => `<@&${role}>`).join(" ");
  return {
    content: [called, plain(text, most.text)].filter(Boolean).join(" "),
    // Whatever a name or a text looks like, it calls nobody but these roles.
    allowed_mentions: { parse: [], roles: [...mentions] },
    embeds: card
      ? [
          {
            title: plain(card.title, most.title),
            description: plain(card.body, most.body),
            color: colours[card.tone],
            fields: (card.fields ?? []).slice(0, most.fields).map(fieldBody),
          },
        ]
      : [],
    components: buttonRows(buttons),
  };
}

function fieldBody(field: ChatField) {
  const value = "at" in field ? `<t:${field.at}:R>` : plain(field.value, most.fieldValue);
  return { name: plain(field.name, most.fieldName), value, inline: true };
}

function buttonRows(buttons: readonly ChatButton[]) {
  const rows = [];
  for (let first = 0; first < buttons.length; first += buttonsInARow)
    rows.push({
      type: rowKind,
      components: buttons.slice(first, first + buttonsInARow).map(buttonBody),
    });
  return rows;
}

function buttonBody(button: ChatButton) {
  const label = button.label.slice(0, most.label);
  return "url" in button
    ? { type: buttonKind, style: buttonStyle.link, label, url: button.url }
    : {
        type: buttonKind,
        style: buttonStyle[button.tone ?? "plain"],
        label,
        custom_id: button.action,
      };
}

/** Players choose their names: markup and mentions in them are shown and not obeyed. */
function plain(text: string, longest: number): string {
  const escaped = text.replace(/[\\*_~`|<>[\]]/g, "\\$&").replace(/^([#-])/gm, "\\$1");
  return escaped.length <= longest
    ? escaped
    : `${escaped.slice(0, longest - 1).replace(/\\$/, "")}…`;
}

/** One value of a command. */
interface ChatCommandOption {
  readonly name: string;
  readonly description: string;
  readonly kind: "text" | "number";
  readonly required: boolean;
  /** The only values there are, where they are few. */
  readonly choices?: readonly { readonly label: string; readonly value: string }[];
}

/** Something that people may type in a chat server, in no particular chat's words. */
export interface ChatCommand {
  /** Lower-case letters. */
  readonly name: string;
  /** One sentence. */
  readonly description: string;
  /** Required ones first. */
  readonly options: readonly ChatCommandOption[];
}

const slashCommand = 1;
const optionKind = { text: 3, number: 4 };
/** In servers; not in direct messages, where no faction's server is. */
const inServers = [0];

/** A command in the chat API's own words. */
export const commandBody = ({ name, description, options }: ChatCommand) => ({
  type: slashCommand,
  name,
  description,
  contexts: inServers,
  options: options.map(commandOptionBody),
});

const commandOptionBody = ({ name, description, kind, required, choices }: ChatCommandOption) => ({
  type: optionKind[kind],
  name,
  description,
  required,
  ...(choices && { choices: choices.map(({ label, value }) => ({ name: label, value })) }),
  ...(kind === "number" && { min_value: 1 }),
});
