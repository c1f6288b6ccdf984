import { chmod, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import type { Database } from "#db/client";
import { hasPglite } from "#db/data-directory";
import type { Context } from "#server/context";
import { openDatabaseAsIs } from "#server/open-database";
import type { Settings } from "#server/platform/env";
import { serializeError } from "#server/platform/errors";
import { collectLimited } from "#server/platform/limited-text";
import { isStartFault, startFault } from "#server/platform/start-fault";
import { type CommandOutput, runCommand } from "./run-command";

/*
 * A command is one line of JSON over an owner-only Unix socket beside the embedded database,
 * because only the process that holds the database can run it.
 */

/** Takes the shorter path, because a socket's path has at most 107 characters. */
function socketIn(dataDir: string): string {
  const whole = path.resolve(dataDir, "operator.sock");
  const relative = path.relative(process.cwd(), whole);
  return relative.length < whole.length ? relative : whole;
}

/** Bytes. */
const longestCommand = 65_536;
const Arguments = z.array(z.string());

/** Listens until the context closes. A folder without socket support is only logged. */
export async function listenToOperator(ctx: Context): Promise<() => void> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => {});
    answer(ctx, socket).catch((error: unknown) => {
      ctx.log.debug({ error: serializeError(error) }, "a command was not heard to its end");
      socket.destroy();
    });
  });
  const address = socketIn(ctx.settings.dataDir);
  try {
    // A killed process may have left its socket; this process holds the directory.
    await rm(address, { force: true });
    await new Promise<void>((resolve, reject) =>
      server.once("error", reject).listen(address, resolve),
    );
    await chmod(address, 0o600);
  } catch (error) {
    ctx.log.warn(
      { error: serializeError(error) },
      "npm run admin and npm run backup cannot reach this process",
    );
  }
  return () => server.close();
}

async function answer(ctx: Context, socket: Socket): Promise<void> {
  const text = await collectLimited(socket, longestCommand);
  if (!text) throw new Error("The command is too long.");
  const lines = async function* () {
    for await (const said of runCommand(ctx, Arguments.parse(JSON.parse(text.toString("utf8")))))
      yield `${JSON.stringify(said)}\n`;
  };
  await pipeline(Readable.from(lines()), socket);
}

/** @throws DirectoryInUse if the process that holds `dataDir` takes no commands */
export async function* askHolder(
  dataDir: string,
  args: readonly string[],
): AsyncGenerator<CommandOutput> {
  const socket = connect({ path: socketIn(dataDir), allowHalfOpen: true });
  await new Promise<void>((resolve, reject) =>
    socket.once("connect", resolve).once("error", reject),
  ).catch(() => {
    const holder = "Another process holds the embedded database and takes no commands";
    throw startFault(
      "DirectoryInUse",
      `${holder}: it is starting, ending, or no server. Try again when it is not.`,
    );
  });
  socket.on("error", () => {});
  socket.end(JSON.stringify(args));
  let isOver = false;
  for await (const line of createInterface({ input: socket })) {
    const said = JSON.parse(line) as CommandOutput;
    isOver ||= "exit" in said;
    yield said;
  }
  if (!isOver) yield* [{ err: "The server ended before the command did." }, { exit: 1 }] as const;
}

/**
 * Opens the database without migrating it.
 * @returns undefined if a running server holds it
 * @throws NoDatabase if the embedded database does not exist yet
 */
export async function openDatabaseForCommand(settings: Settings): Promise<Database | undefined> {
  const { databaseUrl, dataDir } = settings;
  if (!databaseUrl && !(await hasPglite(dataDir)))
    throw startFault(
      "NoDatabase",
      `There is no database in ${dataDir}. Set DATABASE_URL or DATA_DIR as the server has it.`,
    );
  try {
    return await openDatabaseAsIs(settings);
  } catch (error) {
    if (isStartFault(error) && error instanceof Error && error.name === "DirectoryInUse")
      return undefined;
    throw error;
  }
}
