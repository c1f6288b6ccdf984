import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { errorPage, errorPageHeaders } from "./error-page";
import type { ErrorPageReason } from "./identify-client";

const reasons: ErrorPageReason[] = [
  "client-missing",
  "client-unknown",
  "redirect-uri-missing",
  "redirect-uri-unregistered",
  "in-test",
  "too-many-requests",
];

test.each(reasons)(
  "AZ-36: the page for %s runs nothing, loads nothing, cannot be framed, and keeps its own style",
  (reason) => {
    const page = errorPage(reason);
    const policy = errorPageHeaders["Content-Security-Policy"] ?? "";
    const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? "";
    expect(policy).toContain(`style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`);
    for (const directive of ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(directive);
    expect(errorPageHeaders["X-Frame-Options"]).toBe("DENY");
    expect(page).not.toMatch(/<script|style=|src=|https?:\/\/|onload/);
  },
);

test.each(reasons)("the page for %s says in a heading what is wrong, and has a way on", (reason) => {
  const page = errorPage(reason);
  expect(page).toMatch(
    /<html lang="en">[\s\S]*<title>[^<]+ · Adjutant<\/title>[\s\S]*<h1>[^<]+<\/h1>[\s\S]*<a href="\/">/,
  );
});
