import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { withSettingsTable } from "./settings-table";

const file = path.join(import.meta.dirname, "../README.md");
writeFileSync(file, withSettingsTable(readFileSync(file, "utf8")));
