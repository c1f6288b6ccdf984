import type { Context } from "#server/context";
import { failureOf } from "#server/failure-of";
import { serializeError } from "#server/platform/errors";
import { isStartFault } from "#server/platform/start-fault";
import { accountCommands } from "./account-commands";
import { applicationCommands } from "./application-commands";
import { type Command, type CommandLine, readCommandLine } from "./command";
import { serviceCommands } from "./service-commands";

export const commands: readonly Command[] = [
  ...accountCommands,
  ...applicationCommands,
  ...serviceCommands,
];

/** Lines for standard output or error, then the exit code. */
export type CommandOutput =
  | { readonly out: string }
  | { readonly err: string }
  | { readonly exit: 0 | 1 | 2 };

export async function printCommandOutput(answers: AsyncIterable<CommandOutput>): Promise<void> {
  for await (const said of answers)
    if ("out" in said) process.stdout.write(`${said.out}\n`);
    else if ("err" in said) process.stderr.write(`${said.err}\n`);
    else process.exitCode = said.exit;
}

/** Reports a refusal in one sentence. Never throws. */
export async function* runCommand(
  ctx: Context,
  args: readonly string[],
): AsyncGenerator<CommandOutput> {
  let line: CommandLine | string;
  try {
    line = readCommandLine(commands, args);
  } catch (thrown) {
    yield* [{ err: sentenceOf(ctx, thrown) }, { exit: 2 }] as const;
    return;
  }
  if (typeof line === "string") {
    yield* [{ out: line }, { exit: 0 }] as const;
    return;
  }
  try {
    yield* executeCommand(ctx, line);
  } catch (thrown) {
    yield* [{ err: sentenceOf(ctx, thrown) }, { exit: 1 }] as const;
  }
}

async function* executeCommand(
  ctx: Context,
  { command, input, yes, json }: CommandLine,
): AsyncGenerator<CommandOutput> {
  if (command.warns && !yes) {
    yield { err: `${await command.warns(ctx, input)} Nothing was done. To do it, add --yes.` };
    yield { exit: 1 };
    return;
  }
  const answer = command.run(ctx, input);
  if (Symbol.asyncIterator in answer) {
    for await (const record of answer) yield { out: JSON.stringify(record) };
    yield { exit: 0 };
    return;
  }
  const { lines, record, no } = await answer;
  if (json) yield { out: JSON.stringify(record) };
  else for (const text of lines) yield { out: text };
  yield { exit: no ? 1 : 0 };
}

/** The cause of an unexpected failure is only logged. */
function sentenceOf(ctx: Context, thrown: unknown): string {
  if (isStartFault(thrown)) return (thrown as Error).message;
  const { message, kind } = failureOf(thrown);
  if (kind.status >= 500)
    ctx.log.error({ actor: "operator", error: serializeError(thrown) }, "a command failed");
  return message;
}
