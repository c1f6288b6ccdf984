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
