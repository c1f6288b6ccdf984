import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { withSettingsTable } from "./settings-table";

/** `npm run settings` writes the table of settings into README.md. */
const file = path.join(import.meta.dirname, "../README.md");
writeFileSync(file, withSettingsTable(readFileSync(file, "utf8")));
