import { spawn } from "node:child_process";
import { createPrivateKey } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { libpqParameters, parseAddress } from "#db/address";
import { errorCodesOf } from "#server/platform/errors";
import { backupRefusal } from "./manifest";

type Program = "pg_dump" | "pg_restore";

/**
 * Any user of the machine can read arguments, so secrets are passed in owner-only files.
 * @throws BackupRefused with the program's first error line
 */
export async function runPostgresProgram(
  program: Program,
  { url, flags }: { readonly url: string; readonly flags: readonly string[] },
  use: Use,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "adjutant-connection-"));
  try {
    await run(program, [...flags, `--dbname=${await withoutSecrets(url, folder)}`], use);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns an address for libpq */
async function withoutSecrets(url: string, folder: string): Promise<string> {
  const { password, places, parameters } = parseAddress(url);
  const { scheme = "", user = "", place = "", search = "" } = parts.exec(url)?.groups ?? {};
  const query = new URLSearchParams(search);
  // Without a host libpq would use a Unix socket.
  if (/^(:|\/|$)/.test(place) && !query.has("host"))
    query.set("host", places.map(({ host }) => host).join(","));
  query.delete("password");
  if (password)
    query.set(
      "passfile",
      await secretFile(folder, "pgpass", `*:*:*:*:${password.replace(/[\\:]/g, "\\$&")}\n`),
    );
  const passphrase = query.get("sslpassword");
  query.delete("sslpassword");
  if (passphrase) {
    const key = createPrivateKey({ key: await readFile(query.get("sslkey") ?? ""), passphrase });
    query.set(
      "sslkey",
      await secretFile(folder, "key.pem", key.export({ format: "pem", type: "pkcs8" })),
    );
  }
  for (const name of [...query.keys()]) if (!libpqParameters.includes(name)) query.delete(name);
  const options = Object.entries(parameters).map(([name, value]) =>
    name === "options" ? value : `-c ${name}=${value.replace(/[\\ ]/g, "\\$&")}`,
  );
  if (options.length > 0) query.set("options", options.join(" "));
  // libpq does not decode a +.
  const asked = query.toString().replaceAll("+", "%20");
  return `${scheme}${user && `${user}@`}${place}${asked && `?${asked}`}`;
}

const parts =
  /^(?<scheme>\w+:\/\/)(?:(?<user>[^:@/?]*)(?::[^@/?]*)?@)?(?<place>[^?]*)(?:\?(?<search>.*))?$/;

async function secretFile(folder: string, name: string, content: string | Buffer): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, content, { mode: 0o600 });
  return file;
}

/** @throws BackupRefused if the program is missing or older than the server */
export async function assertProgram(program: Program, major: number): Promise<void> {
  const advice = `Install the client programs of PostgreSQL ${major} or newer (Debian: postgresql-client-${major}).`;
  let said = "";
  const version = run(program, ["--version"], async ({ stdout }) => {
    for await (const chunk of stdout) said += String(chunk);
  });
  await version.catch((error: unknown) => {
    if (!errorCodesOf(error).includes("ENOENT")) throw error;
    throw backupRefusal(`${program} is not installed. ${advice}`);
  });
  const own = Number(/\s(\d+)/.exec(said)?.[1] ?? 0);
  if (own < major)
    throw backupRefusal(
      `${program} is of version ${own}, the database of version ${major}. ${advice}`,
    );
}

type Use = (io: { readonly stdin: Writable; readonly stdout: Readable }) => Promise<unknown>;

async function run(program: Program, args: readonly string[], use: Use): Promise<void> {
  const child = spawn(program, args, { stdio: "pipe" });
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => {
    if (complaint.length < longestComplaint) complaint += chunk.toString();
  });
  const ended = once(child, "close") as Promise<[number | null]>;
  const [end, used] = await Promise.allSettled([
    ended,
    use(child).catch((error: unknown) => {
      child.kill();
      throw error;
    }),
  ]);
  if (end.status === "rejected") throw end.reason;
  // The program's complaint says why the pipe broke.
  if (end.value[0] !== 0 && complaint)
    throw backupRefusal(`${program} failed: ${reasonIn(complaint)}`);
  if (used.status === "rejected") throw used.reason;
  if (end.value[0] !== 0) throw backupRefusal(`${program} failed without a word.`);
}

const longestComplaint = 10_000;

const reasonIn = (text: string): string => {
  const errors = text.split("\n").filter((line) => /error|FATAL/i.test(line));
  return (errors[0] ?? text.trim().split("\n").at(-1) ?? "").replace(/^pg_\w+: /, "").trim();
};
