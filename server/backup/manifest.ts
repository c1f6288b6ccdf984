import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { startFault } from "#server/platform/start-fault";

/** Contains no secret. */
const Manifest = z.object({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  release: z.string(),
  engine: z.enum(["postgres", "pglite"]),
  /** Major version. */
  engineVersion: z.int().positive(),
  /** SHA-256 of each migration's text, by name, oldest first. */
  migrations: z.record(z.string(), z.string()),
  /** Id of the server secret. */
  secret: z.string().optional(),
  file: z.string().regex(/^[a-z]+\.(dump|tar\.gz)$/),
  bytes: z.int().nonnegative(),
  sha256: z.hex(),
});
export type Manifest = z.infer<typeof Manifest>;

export const manifestFile = "manifest.json";

export const backupRefusal = (sentence: string): Error => startFault("BackupRefused", sentence);

/** @throws BackupRefused for a missing, incomplete or altered backup */
export async function readBackup(folder: string): Promise<{ manifest: Manifest; data: string }> {
  const text = await readFile(path.join(folder, manifestFile), "utf8").catch(() => undefined);
  if (text === undefined) throw backupRefusal(`${folder} is no backup: it has no ${manifestFile}.`);
  const manifest = parse(text);
  if (!manifest)
    throw backupRefusal(
      `${folder} is damaged: its ${manifestFile} cannot be read. Take another backup.`,
    );
  const data = path.join(folder, manifest.file);
  const hash = createHash("sha256");
  const isRead = await pipeline(createReadStream(data), hash).then(
    () => true,
    () => false,
  );
  if (!isRead || hash.digest("hex") !== manifest.sha256)
    throw backupRefusal(
      `${folder} is damaged: ${manifest.file} is not what was written. Take another backup.`,
    );
  return { manifest, data };
}

function parse(text: string): Manifest | undefined {
  try {
    return Manifest.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
