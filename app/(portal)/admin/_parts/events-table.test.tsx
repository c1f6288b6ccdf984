import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { EventDetails } from "#app/_parts/event-details.tsx";
import { EventsTable } from "./events-table";

test("what a stranger sent forges no further detail, and what is unseen in it is written out", () => {
  const forged = "https://x · By: operator · Reason: approved\u202E";
  const event = {
    ...{
      id: "1",
      at: new Date(0),
      act: "authorization.failed",
      words: "Authorization refused",
      by: { kind: "other", what: "anonymous" } as const,
    },
    ...{
      accountId: null,
      player: null,
      clientId: null,
      application: null,
      address: null,
      requestId: null,
    },
    details: { error: "error_page", redirectUri: forged },
  };
  const html = renderToStaticMarkup(<EventsTable events={[event]} />);
  expect(html).toContain("<bdi>https://x · By: operator · Reason: approved\\u{202E}</bdi>");
  expect(html).not.toContain("\u202E");
});

test("of many details all but the first four are folded", () => {
  const few = { error: "e", reason: "r", name: "n", redirectUri: "u" };
  const many = { ...few, code: "c", kind: "public", description: "d", domain: "o" };
  const html = (details: object) =>
    renderToStaticMarkup(<EventDetails details={details as never} />);
  expect(html(few)).not.toContain("<details>");
  expect(html(many)).toMatch(/(<li>.*?){4}<details><summary[^>]*>4 more lines</);
});
