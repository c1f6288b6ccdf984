import { parseArgs } from "node:util";
import type { z } from "zod";
import type { Context } from "#server/context";
import { startFault } from "#server/platform/start-fault";

/** `lines` are for people, `record` is for `--json`. */
export interface Answer {
  readonly lines: readonly string[];
  readonly record: unknown;
  /** A negative answer: exit code 1. */
  readonly no?: boolean;
}

/** `input` defines the command line: positional arguments in order, then options. */
export interface Command {
  readonly name: string;
  readonly words: string;
  readonly takes: readonly string[];
  readonly input: z.ZodObject;
  /** States the effect of an irreversible command, which then requires `--yes`. */
  readonly warns?: (ctx: Context, input: never) => Promise<string>;
  /** An answer, or records written as JSON lines. */
  readonly run: (ctx: Context, input: never) => Promise<Answer> | AsyncIterable<object>;
}

export const defineCommand = <Input extends z.ZodObject>(declared: {
  readonly name: string;
  readonly words: string;
  readonly takes: readonly (keyof z.output<Input> & string)[];
  readonly input: Input;
  readonly warns?: (ctx: Context, input: z.output<Input>) => Promise<string>;
  readonly run: (ctx: Context, input: z.output<Input>) => Promise<Answer> | AsyncIterable<object>;
}): Command => declared as Command;

export interface CommandLine {
  readonly command: Command;
  readonly input: never;
  readonly yes: boolean;
  readonly json: boolean;
}

const wrong = (sentence: string) => startFault("WrongCommand", sentence);
const seeHelp = "See: npm run admin -- --help";

/** @returns the command, or the requested help @throws WrongCommand */
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
    const { tokens, ...parsed } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      tokens: true,
    });
    const names = (tokens as readonly { name?: string }[]).flatMap(({ name }) => name ?? []);
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice) throw new Error(`Option '--${twice}' is given twice`);
    return parsed;
  } catch (error) {
    // Drops Node's second sentence, which is about arguments that begin with a dash.
    throw wrong(`${String((error as Error).message).split(". ")[0]}. ${seeHelp}`);
  }
}

const optionsOf = ({ input, takes }: Command) =>
  Object.keys(input.shape).filter((field) => !takes.includes(field));

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
