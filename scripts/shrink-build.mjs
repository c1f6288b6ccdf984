import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";

/** Only this line tells copies apart: each names the map of its own, and these are alike too. */
const mapLine = /\n\/\/# sourceMappingURL=.*$/;

/**
 * The bundler writes the server once for each route handler that uses all of it, sixteen times in all. Copies become links to the
 * first, which Node loads once: two thirds of what a start compiles, and of the memory that it stays in.
 * @param folder of the chunks that the server loads
 */
export function shareChunks(folder) {
  const first = new Map();
  for (const name of readdirSync(folder, { recursive: true }).sort()) {
    if (!name.endsWith(".js")) continue;
    const file = path.join(folder, name);
    const digest = createHash("sha256")
      .update(readFileSync(file, "utf8").replace(mapLine, ""))
      .digest("hex");
    const original = first.get(digest);
    if (!original) first.set(digest, file);
    else {
      rmSync(file);
      symlinkSync(path.relative(path.dirname(file), original), file);
    }
  }
}

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
      if (plain.length >= worthPacking)
        writeFileSync(`${file}.br`, await promisify(brotliCompress)(plain));
    }),
  );
}
