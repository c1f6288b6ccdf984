/** One value of a command. */
export interface ChatCommandOption {
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
  options: options.map(optionBody),
});

const optionBody = ({ name, description, kind, required, choices }: ChatCommandOption) => ({
  type: optionKind[kind],
  name,
  description,
  required,
  ...(choices && { choices: choices.map(({ label, value }) => ({ name: label, value })) }),
  ...(kind === "number" && { min_value: 1 }),
});
