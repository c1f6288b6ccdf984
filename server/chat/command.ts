import { z } from "zod";
import { SnowflakeText } from "./message";

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

// What the chat's API answers, as far as we read it. Its ids are texts.

export const MessageAnswer = z.object({ id: SnowflakeText });

export const ApplicationAnswer = z.object({ id: SnowflakeText });

export const DirectChannelAnswer = z.object({ id: SnowflakeText });

export const ServersAnswer = z.array(z.object({ id: SnowflakeText, name: z.string() }));

export const ServerAnswer = z.object({ id: SnowflakeText, name: z.string(), owner_id: SnowflakeText });

export const RolesAnswer = z.array(
  z.object({
    id: SnowflakeText,
    name: z.string(),
    /** A set of rights, one a bit. */
    permissions: z.string().regex(/^[0-9]{1,40}$/),
    position: z.number().default(0),
  }),
);

export const MembersAnswer = z.array(
  z.object({ user: z.object({ id: SnowflakeText, bot: z.boolean().default(false) }), roles: z.array(SnowflakeText) }),
);

export const ChannelsAnswer = z.array(
  z.object({ id: SnowflakeText, name: z.string().nullish(), type: z.number(), position: z.number().default(0) }),
);
