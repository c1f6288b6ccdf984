import { expect, test } from "vitest";
import { parseEnvironment } from "#server/platform/env";
import { readGuide } from "../_parts/guides";
import { changelogFeed } from "./changelog-feed";

const facts = { settings: parseEnvironment({}) };
const feed = changelogFeed(facts);
const all = (name: string) =>
  [...feed.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].map(([, text = ""]) => text);

test("each point of the changelog is an entry with an id, a date, a title and a link (RFC 4287)", () => {
  const entries = all("entry");
  const points = readGuide("changelog", facts).sections.flatMap(({ tokens }) =>
    tokens.flatMap((token) => (token.type === "list" ? token.items : [])),
  );
  expect(entries).toHaveLength(points.length);
  for (const entry of entries) {
    expect(entry).toMatch(/<id>http:\/\/localhost:3000\/docs\/changelog#[\w-]+<\/id>/);
    expect(entry).toMatch(/<updated>20\d\d-\d\d-\d\dT00:00:00\.000Z<\/updated>/);
    expect(entry).toMatch(/<title>[^<]+<\/title>/);
    expect(entry).toMatch(/<link rel="alternate" type="text\/html" href="[^"<]+"\/>/);
  }
  const ids = all("id");
  expect(new Set(ids).size).toBe(ids.length);
});

test("the feed names itself and its page, and is as new as its newest version", () => {
  expect(feed).toMatch(
    /^<\?xml version="1.0" encoding="utf-8"\?>\n<feed xmlns="http:\/\/www.w3.org\/2005\/Atom">/,
  );
  expect(feed).toContain(
    '<link rel="self" type="application/atom+xml" href="http://localhost:3000/docs/changelog.atom"/>',
  );
  const [own, ...ofEntries] = all("updated");
  expect(own).toBe(ofEntries.toSorted().at(-1));
});

test("contents are escaped HTML: no markup but the feed's own is left", () => {
  const html = [...feed.matchAll(/<content type="html">(.*?)<\/content>/gs)].map(
    ([, text = ""]) => text,
  );
  expect(html.join("\n")).toContain("&lt;code&gt;");
  expect(html.filter((text) => /[<>]|&(?!lt;|gt;|quot;|amp;)/.test(text))).toEqual([]);
});
