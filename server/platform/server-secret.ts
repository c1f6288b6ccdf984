import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { Settings } from "./env";
import { createKeyring, type Keyring } from "./keyring";
import { wrongSetting } from "./start-fault";

const secretBytes = 48;
const base64Length = 64;

/** From the settings, or an embedded installation's stored secret. */
export async function openServerKeyring(settings: Settings): Promise<Keyring> {
  const current = settings.serverSecret ?? (await storedServerSecret(settings.dataDir));
  return createKeyring(
    settings.previousServerSecret ? [current, settings.previousServerSecret] : [current],
  );
}

/**
 * Generated in `dataDir` at the first start, readable by its owner only. Without it all sessions
 * end and stored game keys are lost.
 * @throws WrongSetting for a truncated file
 */
export async function storedServerSecret(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = path.join(dataDir, "server-secret");
  const secret = (await read(file)) ?? (await generate(file));
  if (secret.length < base64Length)
    throw wrongSetting(
      `DATA_DIR is wrong: ${file} is cut off. Restore it from a backup; in a new installation, which has no data yet, delete it.`,
    );
  return secret;
}

/**
 * Renamed when complete: a full disk or a kill leaves no partial secret, and the first of two
 * processes wins.
 */
async function generate(file: string): Promise<string> {
  const unnamed = `${file}.${process.pid}`;
  try {
    const handle = await open(unnamed, "w", 0o600);
    try {
      await handle.writeFile(`${randomBytes(secretBytes).toString("base64")}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(unnamed, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(unnamed, { force: true }).catch(() => {});
  }
  return (await read(file)) ?? "";
}

async function read(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
