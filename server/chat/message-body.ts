import type { ChatButton, ChatField, ChatMessage, Tone } from "./message";

const colours: Readonly<Record<Tone, number>> = {
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
const most = { text: 1_900, title: 256, body: 4_000, fieldName: 256, fieldValue: 1_000, fields: 25, label: 80 };

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
    components: rowsOf(buttons),
  };
}

function fieldBody(field: ChatField) {
  const value = "at" in field ? `<t:${field.at}:R>` : plain(field.value, most.fieldValue);
  return { name: plain(field.name, most.fieldName), value, inline: true };
}

function rowsOf(buttons: readonly ChatButton[]) {
  const rows = [];
  for (let first = 0; first < buttons.length; first += buttonsInARow)
    rows.push({ type: rowKind, components: buttons.slice(first, first + buttonsInARow).map(buttonBody) });
  return rows;
}

function buttonBody(button: ChatButton) {
  const label = button.label.slice(0, most.label);
  return "url" in button
    ? { type: buttonKind, style: buttonStyle.link, label, url: button.url }
    : { type: buttonKind, style: buttonStyle[button.tone ?? "plain"], label, custom_id: button.action };
}

/** Players choose their names: markup and mentions in them are shown and not obeyed. */
function plain(text: string, longest: number): string {
  const escaped = text.replace(/[\\*_~`|<>[\]]/g, "\\$&").replace(/^([#-])/gm, "\\$1");
  return escaped.length <= longest ? escaped : `${escaped.slice(0, longest - 1).replace(/\\$/, "")}…`;
}
