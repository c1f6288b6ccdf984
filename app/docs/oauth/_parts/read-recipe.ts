import { readFile } from "node:fs/promises";
import path from "node:path";

/** The text of a recipe as it lies in docs/recipes below the working directory, where the tests run it. */
export const readRecipe = (file: string): Promise<string> =>
  readFile(path.join(/* turbopackIgnore: true */ process.cwd(), "docs/recipes", file), "utf8");
