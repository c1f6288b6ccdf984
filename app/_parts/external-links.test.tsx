import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { StoredLink } from "./external-links";

test.each([
  "javascript:alert(1)",
  "data:text/html,x",
  "http://client.test/",
  "https://user@client.test/",
  "https://",
  "//client.test",
  "/developers",
  "not an address",
  "https://client.test/\u202Egpj",
])("%j is rendered as no link, with a text or without one", (href) => {
  const markup = renderToStaticMarkup(
    <>
      <StoredLink href={href} />
      <StoredLink href={href}>{href}</StoredLink>
    </>,
  );
  expect(markup).not.toContain("href");
  expect(markup).toContain("nvalid address");
  expect(markup).not.toContain("\u202E");
});

test("an https address is a link that shows its host as browsers write it", () => {
  expect(renderToStaticMarkup(<StoredLink href="https://bücher.test/x" />)).toContain(
    'href="https://bücher.test/x"',
  );
  expect(renderToStaticMarkup(<StoredLink href="https://bücher.test/x" />)).toContain(
    "xn--bcher-kva.test",
  );
});

test("an address that an application in test does not have yet is neither a link nor a fault", () => {
  expect(renderToStaticMarkup(<StoredLink href="" />)).toBe(
    '<span class="text-ink-faint">Not given yet</span>',
  );
});
