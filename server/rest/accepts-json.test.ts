import { expect, test } from "vitest";
import { acceptsJson } from "./request-context";

test.each([
  null,
  "",
  "*/*",
  "application/json",
  "application/json, application/jwt",
  "application/*",
  "text/html, */*;q=0.1",
  "text/html;q=1, application/json; charset=utf-8; q=0.5",
  "APPLICATION/JSON",
])("%j accepts JSON (ER-04)", (accept) => expect(acceptsJson(accept)).toBe(true));

test.each([
  "text/html",
  "application/xml",
  "application/json;q=0",
  "application/json;q=0.0, */*",
  "image/*",
  "application/jwt",
])("%j excludes it (ER-04)", (accept) => expect(acceptsJson(accept)).toBe(false));
