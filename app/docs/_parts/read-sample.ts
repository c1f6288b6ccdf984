import { readFile } from "node:fs/promises";
import path from "node:path";

/** The samples of a folder with their code, as it lies in docs/ below the working directory, where the tests run it. */
export const readSamples = <Sample extends { readonly file: string }>(folder: string, samples: readonly Sample[]) =>
  Promise.all(
    samples.map(async (sample) => {
      const place = path.join(/* turbopackIgnore: true */ process.cwd(), "docs", folder, sample.file);
      return { ...sample, code: await readFile(place, "utf8") };
    }),
  );
