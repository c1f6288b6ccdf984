import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Sends null or the fault, and ends with its parent process. It imports the package: what
 * require() loads finds its files by a URL, which a # or ? in the path cuts off.
 */
export const program = `
const [dataDir, startParams] = JSON.parse(process.argv[1]);
process.once("disconnect", () => process.exit(1));
const answer = (fault) => process.send(fault, () => process.exit(0));
(async () => {
  const { PGlite } = await import("@electric-sql/pglite");
  const pglite = new PGlite({ dataDir, startParams });
  await pglite.waitReady;
  await pglite.close();
})().then(
  () => answer(null),
  ({ name, message, code, errno, severity, syscall }) => answer({ name, message, code, errno, severity, syscall }),
);
`;

/**
 * Makes an empty embedded database in a child process, because this one would keep the 180 MB that
 * it takes.
 * @throws the error of the database or its disk
 */
export async function createPglite(
  directory: string,
  startParams: readonly string[],
): Promise<void> {
  const child = spawn(
    process.execPath,
    ["--eval", program, JSON.stringify([directory, startParams])],
    {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    },
  );
  const ended = once(child, "exit").then(([code, signal]) => {
    throw new Error(
      `The process that makes the embedded database ended early (${signal ?? code}).`,
    );
  });
  const [fault] = await Promise.race([once(child, "message"), ended]);
  // The child now exits, which `ended` awaits.
  await ended.catch(() => {});
  if (fault !== null) throw Object.assign(new Error(), fault);
}
