import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";

/** Below this a packet is sent anyway, packed or not. */
const worthPacking = 1_024;

/**
 * Packs the scripts and styles of the pages once, as small as they get: the server sends them as they lie there.
 * @param folder of the built pages' static files
 */
export async function pack(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:js|css)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
  await Promise.all(
    files.map(async (file) => {
      const plain = readFileSync(file);
      if (plain.length >= worthPacking) writeFileSync(`${file}.br`, await promisify(brotliCompress)(plain));
    }),
  );
}
