import { hash } from "node:crypto";
import { marked, type Token, type Tokens } from "marked";
import type { GuideFacts } from "../_parts/guide-values";
import { type GuideSection, readGuide } from "../_parts/guides";

interface Change {
  readonly version: GuideSection;
  /** Date of the version. */
  readonly on: Date;
  /** Such as "OAuth". */
  readonly topic: string;
  /** Markdown. */
  readonly text: string;
}

/** RFC 4287. Each point of the changelog is an entry, so that a reader shows a new point once. */
export function changelogFeed(facts: GuideFacts): string {
  const { title, sections } = readGuide("changelog", facts);
  const changes = sections.flatMap(changesOf);
  const page = `${facts.settings.baseUrl}/docs/changelog`;
  const newest = Math.max(...changes.map(({ on }) => on.getTime()));
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element("title", `Adjutant: ${title}`),
    element("id", page),
    element("updated", new Date(newest).toISOString()),
    `<author>${element("name", "Adjutant")}</author>`,
    `<link rel="self" type="application/atom+xml" href="${escaped(`${page}.atom`)}"/>`,
    `<link rel="alternate" type="text/html" href="${escaped(page)}"/>`,
    ...changes.map((change) => entryOf(change, page)),
    "</feed>",
    "",
  ].join("\n");
}

function changesOf(version: GuideSection): Change[] {
  let on = new Date(0);
  let topic = version.title;
  return version.tokens.flatMap((token): Change[] => {
    const date = isParagraph(token) ? dateIn(token.text) : undefined;
    if (date) on = date;
    else if (isParagraph(token)) topic = token.text.replace(/[:,.].*$/s, "");
    if (token.type !== "list") return [];
    return (token as Tokens.List).items.map(({ text }) => ({ version, on, topic, text }));
  });
}

const isParagraph = (token: Token): token is Tokens.Paragraph => token.type === "paragraph";

/** A paragraph such as "26 November 2026." is the day of a version's newest change. */
function dateIn(text: string): Date | undefined {
  const [, day] = /^(\d{1,2} [A-Z][a-z]+ \d{4})\.$/.exec(text) ?? [];
  return day === undefined ? undefined : new Date(`${day} UTC`);
}

function entryOf({ version, on, topic, text }: Change, page: string): string {
  const address = `${page}#${version.id}`;
  return [
    "<entry>",
    element("title", `${topic}: ${shortened(text.replaceAll("`", ""))}`),
    element("id", `${address}-${hash("sha256", text, "hex").slice(0, 16)}`),
    element("updated", on.toISOString()),
    `<link rel="alternate" type="text/html" href="${escaped(address)}"/>`,
    `<category term="${escaped(topic)}"/>`,
    `<content type="html">${escaped(String(marked.parseInline(text)))}</content>`,
    "</entry>",
  ].join("\n");
}

const longestTitle = 90;

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  if (line.length <= longestTitle) return line;
  return `${line.slice(0, line.lastIndexOf(" ", longestTitle))} …`;
}

const element = (name: string, text: string): string => `<${name}>${escaped(text)}</${name}>`;

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};
