import { z } from "zod";

const largest = 2n ** 63n - 1n;

/** A positive 64-bit integer as decimal text; never a JavaScript number. */
export const SnowflakeText = z
  .string()
  .regex(/^[1-9][0-9]{0,18}$/, "must be a number")
  .transform((text) => BigInt(text))
  .refine((id) => id <= largest, "is too large");

const field = z.union([
  z.object({ name: z.string(), value: z.string() }),
  /** Unix seconds, shown as a relative time. */
  z.object({ name: z.string(), at: z.int() }),
]);
const button = z.union([
  z.object({ label: z.string(), url: z.string() }),
  z.object({
    label: z.string(),
    action: z.string(),
    tone: z.enum(["good", "error"]).exactOptional(),
  }),
]);

/** All texts are plain: markup and mentions are escaped. */
export const ChatMessage = z.object({
  text: z.string().exactOptional(),
  /** Role snowflakes. */
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
export type ChatMessage = z.output<typeof ChatMessage>;
export type MessageTone = NonNullable<ChatMessage["card"]>["tone"];
type ChatField = z.output<typeof field>;
type ChatButton = z.output<typeof button>;

export interface DesiredMessage {
  /** Such as `vault-request:12`. */
  readonly subject: string;
  readonly to: { readonly channelId: bigint } | { readonly recipientId: bigint };
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

/** The chat's limits, in characters except for `fields`. */
const most = {
  text: 1_900,
  title: 256,
  body: 4_000,
  fieldName: 256,
  fieldValue: 1_000,
  fields: 25,
  label: 80,
};

export const ephemeralFlag = 64;

/** Empty parts are sent too, so that an edit removes them. */
export function messageBody({ text = "", mentions = [], card, buttons = [] }: ChatMessage) {
  const called = mentions.map((role) => `<@&${role}>`).join(" ");
  return {
    content: [called, plain(text, most.text)].filter(Boolean).join(" "),
    // A mention in a text has no effect.
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

/** Escapes markup, because texts contain names that players choose. */
function plain(text: string, longest: number): string {
  const escaped = text.replace(/[\\*_~`|<>[\]]/g, "\\$&").replace(/^([#-])/gm, "\\$1");
  return escaped.length <= longest
    ? escaped
    : `${escaped.slice(0, longest - 1).replace(/\\$/, "")}…`;
}

interface ChatCommandOption {
  readonly name: string;
  readonly description: string;
  readonly kind: "text" | "number";
  readonly required: boolean;
  readonly choices?: readonly { readonly label: string; readonly value: string }[];
}

export interface ChatCommand {
  readonly name: string;
  readonly description: string;
  /** Required options come first. */
  readonly options: readonly ChatCommandOption[];
}

const slashCommand = 1;
const optionKind = { text: 3, number: 4 };
/** Commands need a faction, and direct messages have none. */
const inServers = [0];

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
