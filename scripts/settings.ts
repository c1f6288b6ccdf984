import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { settingList } from "#server/platform/environment-variables";

const head = "| setting | default | meaning |\n|---|---|---|\n";

export function withSettingsTable(readme: string): string {
  const begin = readme.indexOf(head);
  const end = readme.indexOf("\n\n", begin);
  if (begin < 0 || end < 0) throw new Error("README.md has no table of settings.");
  const rows = settingList
    .filter(({ words }) => words)
    .map(({ variable, words, unset, schema }) => {
      const value = unset ?? shown(schema.safeParse(undefined).data);
      return `| \`${variable}\` | ${value} | ${words} |`;
    });
  return readme.slice(0, begin) + head + rows.join("\n") + readme.slice(end);
}

function shown(value: unknown): string {
  if (value === undefined) return "none";
  return typeof value === "number" ? String(value) : `\`${value}\``;
}

/** `npm run settings`. */
if (process.argv[1] === import.meta.filename) {
  const file = path.join(import.meta.dirname, "../README.md");
  writeFileSync(file, withSettingsTable(readFileSync(file, "utf8")));
}
