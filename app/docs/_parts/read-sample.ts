import { readFile } from "node:fs/promises";
import path from "node:path";

/** The text of a sample as it lies in docs/ below the working directory, where the tests run it. */
export const readSample = (file: string): Promise<string> =>
  readFile(path.join(/* turbopackIgnore: true */ process.cwd(), "docs", file), "utf8");
