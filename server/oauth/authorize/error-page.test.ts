import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import {
  doctorLink,
  type ErrorPageReason,
  errorPageHeaders,
  errorPageHtml,
  errorPages,
} from "./error-page";

const show = (reason: ErrorPageReason, theme: string | null = null) =>
  errorPageHtml(reason, { requestId: "7b1f", theme, doctor: "/developers/doctor?ask=7b1f" });
const reasons = Object.keys(errorPages) as ErrorPageReason[];

test.each(reasons)(
  "AZ-36: the page for %s runs nothing, loads nothing, cannot be framed, and keeps its own style",
  (reason) => {
    const page = show(reason);
    const policy = errorPageHeaders["Content-Security-Policy"] ?? "";
    const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? "";
    expect(policy).toContain(
      `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    );
    for (const directive of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(directive);
    expect(policy).not.toContain("form-action");
    expect(errorPageHeaders).not.toHaveProperty("Cross-Origin-Opener-Policy");
    expect(errorPageHeaders["X-Frame-Options"]).toBe("DENY");
    expect(page).not.toMatch(/<script|style=|src=|https?:\/\/|onload/);
  },
);

test.each(reasons)(
  "the page for %s says in a heading what is wrong, and has a way on",
  (reason) => {
    const page = show(reason);
    expect(page).toMatch(
      /<html lang="en">[\s\S]*<title>[^<]+ · Adjutant<\/title>[\s\S]*<h1>[^<]+<\/h1>[\s\S]*<a href="\/"/,
    );
  },
);

test("it names the request, and leads to the doctor with it", () => {
  const page = show("client-missing");
  expect(page).toContain("<code>7b1f</code>");
  expect(page).toContain('<a href="/developers/doctor?ask=7b1f">');
});

test.each([
  ["light", 'lang="en" data-theme="light"'],
  ["dark", 'lang="en" data-theme="dark"'],
  ['"><script>', 'lang="en">'],
])("it wears the theme that was chosen on the pages: %s", (theme, root) => {
  expect(show("client-unknown", theme)).toContain(`<html ${root}`);
});

test("the doctor gets what the request consists of, as often as it was sent, and nothing else", () => {
  const sent = new URLSearchParams(
    "client_id=a&client_id=b&scope=user:stats+x&client_secret=s3cret&password=p&state=a%2Fb%3D",
  );
  const link = doctorLink(sent, "7b1f");
  expect(link).toMatch(/^[\w/?=%.*+-]+$/);
  expect(new URLSearchParams(link.slice(link.indexOf("?"))).get("ask")).toBe(
    "?client_id=a&client_id=b&scope=user%3Astats+x&state=a%2Fb%3D",
  );
});

test.each<Record<string, string>>([
  { client_id: "x".repeat(3_000) },
  { anything: "else" },
  { client_id: "x\r\nX-Injected: 1" },
  { client_id: "x", state: '"><script>' },
])("the request %j is looked up by its ID", (sent) => {
  expect(doctorLink(new URLSearchParams(sent), "7b1f")).toBe("/developers/doctor?ask=7b1f");
});
