import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { type ChangelogBlock, parseChangelog } from "./parse-changelog";

test("versions have their paragraphs and points, also such as go over several lines", () => {
  const text =
    "# Changelog\n\nWhat changes\nfor callers.\n\n## Unreleased\n\nNew:\n\n- one\n  of two lines\n- `two`\n\n## 0.1.0\n\nFirst.\n";
  expect(parseChangelog(text)).toEqual({
    about: "What changes for callers.",
    versions: [
      {
        version: "Unreleased",
        id: "unreleased",
        blocks: [
          { kind: "paragraph", text: "New:" },
          { kind: "list", items: ["one of two lines", "`two`"] },
        ],
      },
      { version: "0.1.0", id: "0-1-0", blocks: [{ kind: "paragraph", text: "First." }] },
    ],
  });
});

test("of the changelog no word is lost, and none of its marks is shown", () => {
  const text = readFileSync(path.join(import.meta.dirname, "../../../CHANGELOG.md"), "utf8");
  const { about, versions } = parseChangelog(text);
  const wordsOf = (block: ChangelogBlock) => (block.kind === "list" ? block.items : [block.text]);
  const shown = [
    about,
    ...versions.flatMap(({ version, blocks }) => [version, ...blocks.flatMap(wordsOf)]),
  ];
  const plain = text.replace("# Changelog", "").replaceAll(/^(?:## |- )/gm, "");
  expect(shown.join(" ").split(/\s+/)).toEqual(plain.trim().split(/\s+/));
  expect(shown.filter((words) => /\*\*|\]\(|^#|^- /.test(words))).toEqual([]);
});
