import { readFile } from "node:fs/promises";
import path from "node:path";

/** Relative to the working directory. */
export const readFromProduct = (...segments: readonly string[]): Promise<string> =>
  readFile(path.join(/* turbopackIgnore: true */ process.cwd(), ...segments), "utf8");

/** From docs/, where the tests run them. */
export const readSamples = <Sample extends { readonly file: string }>(
  folder: string,
  samples: readonly Sample[],
) =>
  Promise.all(
    samples.map(async (sample) => ({
      ...sample,
      code: await readFromProduct("docs", folder, sample.file),
    })),
  );
