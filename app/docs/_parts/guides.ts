import { marked, type Token, type TokensList } from "marked";
import type { Context } from "#server/context";
import { showModelCard } from "#server/stats/estimates/estimate-stats";
import { slugOf } from "./describe-endpoint";
import { type GuideFacts, guidePlaceholders } from "./guide-values";

/** Compiled into the build, so that a running process keeps the texts that fit its code. */
const files = import.meta.glob<{ readonly default: string }>(
  [
    "/app/docs/guides/*.md",
    "/CHANGELOG.md",
    "/docs/recipes/*",
    "/docs/event-readers/*",
    "/docs/webhooks/*",
  ],
  { eager: true, query: "?raw" },
);

/** In reading order; the address is `/docs/<name>`. */
export const guideNames = [
  "",
  "oauth",
  "scopes",
  "teams",
  "limits",
  "versioning",
  "api",
  "events",
  "webhooks",
  "notifications",
  "errors",
  "estimates",
  "factions",
  "data",
  "changelog",
] as const;
export type GuideName = (typeof guideNames)[number];

export const isGuideName = (name: string): name is GuideName =>
  (guideNames as readonly string[]).includes(name);

export const guidePath = (name: GuideName): string => (name === "" ? "/docs" : `/docs/${name}`);

const fileOf = (name: GuideName): string =>
  name === "changelog" ? "/CHANGELOG.md" : `/app/docs/guides/${name || "index"}.md`;

function readFile(path: string): string {
  const text = files[path]?.default;
  if (text === undefined) throw new Error(`The build has no ${path}.`);
  return text;
}

export const guideTitle = (name: GuideName): string =>
  /^# (.+)$/m.exec(readFile(fileOf(name)))?.[1] ?? "";

export const guideFacts = async (context: Context, name: GuideName): Promise<GuideFacts> => ({
  settings: context.settings,
  card: readFile(fileOf(name)).includes("{{model}}") ? await showModelCard(context) : null,
});

/**
 * The guide with its values: `{{name}}` and `{{name argument}}` are entries of `guidePlaceholders`,
 * `{{sample folder/file}}` a file below docs/. Headings may end with `{#id}`.
 */
const fillGuide = (name: GuideName, facts: GuideFacts): string =>
  readFile(fileOf(name)).replaceAll(
    /\{\{(\w+)(?: ([\w./-]+))?\}\}/g,
    (_, value: string, argument = "") => {
      if (value === "sample") return fenceOf(argument);
      const known = guidePlaceholders[value];
      if (known === undefined)
        throw new Error(`The guide "${name}" names a value that is not there: ${value}.`);
      return typeof known === "function" ? known(facts, argument) : String(known);
    },
  );

const languages: Readonly<Record<string, string>> = {
  ts: "typescript",
  js: "typescript",
  py: "python",
  go: "go",
  sh: "shell",
};

function fenceOf(sample: string): string {
  const language = languages[sample.slice(sample.lastIndexOf(".") + 1)] ?? "text";
  const title = sample.slice(sample.indexOf("/") + 1);
  return `\`\`\`${language} "${title}"\n${readFile(`/docs/${sample}`).trimEnd()}\n\`\`\``;
}

const givenId = / \{#([\w-]+)\}$/;

/** Markdown for programs has absolute links and plain headings. */
export const guideMarkdown = (name: GuideName, facts: GuideFacts): string =>
  fillGuide(name, facts)
    .replaceAll(/^(#{2,3} .+) \{#[\w-]+\}$/gm, "$1")
    .replaceAll("](/", `](${facts.settings.baseUrl}/`);

export interface GuidePart {
  readonly id: string;
  readonly title: string;
  readonly tokens: readonly Token[];
}

export interface GuideSection extends GuidePart {
  /** Parts below headings of the third level. */
  readonly folded: readonly GuidePart[];
}

export function readGuide(name: GuideName, facts: GuideFacts) {
  const [before, ...sections] = splitAt(2, marked.lexer(fillGuide(name, facts)));
  const lead = before?.tokens.find(({ type }) => type === "paragraph");
  return {
    title: guideTitle(name),
    /** The first paragraph. */
    lead: lead && "tokens" in lead ? (lead.tokens ?? []) : [],
    sections: sections.map((section): GuideSection => {
      const [own, ...folded] = splitAt(3, section.tokens);
      return { ...section, tokens: own?.tokens ?? [], folded };
    }),
  };
}

/** The first part has no heading. */
function splitAt(depth: number, tokens: TokensList | readonly Token[]): GuidePart[] {
  const parts: { id: string; title: string; tokens: Token[] }[] = [
    { id: "", title: "", tokens: [] },
  ];
  for (const token of tokens) {
    if (token.type === "heading" && token.depth === depth) {
      const text = String(token.text);
      const title = text.replace(givenId, "");
      parts.push({ id: givenId.exec(text)?.[1] ?? slugOf(title), title, tokens: [] });
    } else parts.at(-1)?.tokens.push(token);
  }
  return parts;
}
