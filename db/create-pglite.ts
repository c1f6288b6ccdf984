import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Answers with what went wrong, or with null, and ends when the process that asked does. It imports the package, because what
 * require() loads finds its files by a URL that a # or ? in the path cuts off.
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
 * Makes an empty embedded database in `directory`, in a process of its own: this one would keep the 180 MB that it takes.
 * @throws what the database or its disk reported
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
  // It ends by itself now, which is what `ended` waits for.
  await ended.catch(() => {});
  if (fault !== null) throw Object.assign(new Error(), fault);
}
