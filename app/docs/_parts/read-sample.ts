import { readFile } from "node:fs/promises";
import path from "node:path";

/** The text of a file of the product, as it lies below the working directory. */
export const readFromProduct = (...segments: readonly string[]): Promise<string> =>
  readFile(path.join(/* turbopackIgnore: true */ process.cwd(), ...segments), "utf8");

/** The samples of a folder with their code, as it lies in docs/, where the tests run it. */
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
