export type ChangelogBlock =
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] };

export interface ChangelogVersion {
  /** As in the heading: "0.1.0". */
  readonly version: string;
  /** Fragment of its section. */
  readonly id: string;
  readonly blocks: readonly ChangelogBlock[];
}

/** Introduction, and versions newest first. Supports headings, paragraphs and lists of Markdown. */
export function parseChangelog(text: string): { about: string; versions: ChangelogVersion[] } {
  const [head = "", ...sections] = text.split(/^## /m);
  return {
    about: head
      .replace(/^# .*$/m, "")
      .trim()
      .replaceAll(/\s+/g, " "),
    versions: sections.map((section) => {
      const [version = "", ...lines] = section.split("\n");
      return {
        version: version.trim(),
        id: version
          .trim()
          .toLowerCase()
          .replaceAll(/[^a-z0-9]+/g, "-"),
        blocks: lines
          .join("\n")
          .split(/\n{2,}/)
          .map((part) => part.trim())
          .filter(Boolean)
          .map(parseBlock),
      };
    }),
  };
}

function parseBlock(text: string): ChangelogBlock {
  if (!text.startsWith("- ")) return { kind: "paragraph", text: text.replaceAll(/\s+/g, " ") };
  const items = text
    .slice(2)
    .split(/\n- /)
    .map((item) => item.replaceAll(/\s+/g, " ").trim());
  return { kind: "list", items };
}
