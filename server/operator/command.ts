import { parseArgs } from "node:util";
import type { z } from "zod";
import type { Context } from "#server/context";
import { startFault } from "#server/platform/start-fault";

/** The output of a command: lines for a person, and the same for programs (`--json`). */
export interface Answer {
  readonly lines: readonly string[];
  readonly record: unknown;
  /** True: the answer to the question is no, which is exit code 1. */
  readonly no?: boolean;
}

/** An act of the operator's. What `input` has is what the command line may have: arguments in their order, then options. */
export interface Command {
  readonly name: string;
  /** What it does, in one sentence. */
  readonly words: string;
  /** Names of the fields that stand behind the command without a name. */
  readonly takes: readonly string[];
  readonly input: z.ZodObject;
  /** Describes the effect of a command that cannot be taken back at once; such a command wants `--yes`. */
  readonly warns?: (ctx: Context, input: never) => Promise<string>;
  /** Either an answer, or records that are written as JSON, one a line. */
  readonly run: (ctx: Context, input: never) => Promise<Answer> | AsyncIterable<object>;
}

/** Declares a command; its functions get what its schema gives. */
export const command = <Input extends z.ZodObject>(declared: {
  readonly name: string;
  readonly words: string;
  readonly takes: readonly (keyof z.output<Input> & string)[];
  readonly input: Input;
  readonly warns?: (ctx: Context, input: z.output<Input>) => Promise<string>;
  readonly run: (ctx: Context, input: z.output<Input>) => Promise<Answer> | AsyncIterable<object>;
}): Command => declared as Command;

/** A command line, understood. */
export interface CommandLine {
  readonly command: Command;
  readonly input: never;
  readonly yes: boolean;
  readonly json: boolean;
}

const wrong = (sentence: string) => startFault("WrongCommand", sentence);
const seeHelp = "See: npm run admin -- --help";

/**
 * Reads the arguments of a command line.
 * @returns the command, or the help that was asked for
 * @throws WrongCommand with one sentence
 */
export function readCommandLine(
  commands: readonly Command[],
  args: readonly string[],
): CommandLine | string {
  const [name = "--help", ...rest] = args;
  if (name === "--help" || name === "-h" || name === "help") return helpOf(commands);
  const found = commands.find((each) => each.name === name);
  if (!found) throw wrong(`There is no command ${JSON.stringify(name)}. ${seeHelp}`);
  const named = optionsOf(found).map((option) => [option, { type: "string" }] as const);
  const { values, positionals } = parse(rest, {
    ...Object.fromEntries(named),
    yes: { type: "boolean" },
    json: { type: "boolean" },
    help: { type: "boolean" },
  });
  if (values.help) return helpOf([found]);
  if (positionals.length > found.takes.length)
    throw wrong(`${found.name} does not take ${JSON.stringify(positionals.at(-1))}. ${seeHelp}`);
  const { yes = false, json = false, help: _, ...options } = values;
  const given = {
    ...options,
    ...Object.fromEntries(positionals.map((text, at) => [found.takes[at], text])),
  };
  const input = found.input.safeParse(given);
  if (input.success)
    return { command: found, input: input.data as never, yes: yes === true, json: json === true };
  const [issue] = input.error.issues;
  const field = String(issue?.path[0]);
  throw wrong(`${found.takes.includes(field) ? `<${field}>` : `--${field}`}: ${issue?.message}`);
}

type Options = NonNullable<Parameters<typeof parseArgs>[0]>["options"];

interface Parsed {
  readonly values: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
}

function parse(args: readonly string[], options: Options): Parsed {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // Node's second sentence is about arguments that begin with a dash.
    throw wrong(`${String((error as Error).message).split(". ")[0]}. ${seeHelp}`);
  }
}

const optionsOf = ({ input, takes }: Command) =>
  Object.keys(input.shape).filter((field) => !takes.includes(field));

/** The help for these commands: each with its arguments, what it does and what its options mean. */
export function helpOf(commands: readonly Command[]): string {
  const blocks = commands.map((each) => {
    const fields = each.takes.map(
      (field) => ` ${isOptional(each, field) ? `[${field}]` : `<${field}>`}`,
    );
    const flags = optionsOf(each).map((option) => {
      const text = `--${option} …`;
      return isOptional(each, option) ? ` [${text}]` : ` ${text}`;
    });
    const words = [...each.takes, ...optionsOf(each)].map((field) => {
      const meaning = (each.input.shape[field] as z.ZodType).description;
      return meaning
        ? `      ${each.takes.includes(field) ? field : `--${field}`}: ${meaning}\n`
        : "";
    });
    return `  ${each.name}${fields.join("")}${flags.join("")}${each.warns ? " --yes" : ""}\n      ${each.words}\n${words.join("")}`;
  });
  return `${usage}\n${blocks.join("\n")}`;
}

const usage = `npm run admin -- <command> [arguments] [--json]

Acts on the service of the settings (DATABASE_URL or DATA_DIR) while it runs, in the operator's name: the audit log
says "The operator". What cannot be taken back at once says what it would do, and does it with --yes.
Exit codes: 0 done, 1 refused or failed, or the answer is no, 2 the command line is wrong.
`;

const isOptional = ({ input }: Command, field: string) =>
  (input.shape[field] as z.ZodType).safeParse(undefined).success;
