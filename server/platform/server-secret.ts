import { randomBytes } from "node:crypto";
import { mkdir, open, readFile } from "node:fs/promises";
import path from "node:path";

const secretBytes = 48;

/**
 * The server secret of an embedded installation: read from `dataDir`, or generated there at the first start.
 * The file is readable by its owner alone. Losing it signs everybody out and makes stored game keys unreadable.
 */
export async function storedServerSecret(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = path.join(dataDir, "server-secret");
  try {
    // "wx" fails where the file exists: of two first starts one generates, and the other reads.
    const handle = await open(file, "wx", 0o600);
    await handle.writeFile(`${randomBytes(secretBytes).toString("base64")}\n`);
    await handle.sync();
    await handle.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return (await readFile(file, "utf8")).trim();
}
