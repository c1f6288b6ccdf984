import { describe, expect, test } from "vitest";
import {
  browserCookieName,
  endedSessionCookie,
  readCookie,
  sessionCookie,
  sessionCookieName,
} from "./cookies";

describe("the session cookie (PT-07)", () => {
  test("on https is Secure and bound to the host by its name", () => {
    const line = sessionCookie("abc", true);
    expect(line).toMatch(
      /^__Host-adjutant_session=abc; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(line).not.toMatch(/domain/i);
  });

  test("on plain http has no prefix, since browsers refuse one without Secure", () => {
    expect(sessionCookie("abc", false)).toMatch(
      /^adjutant_session=abc; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
    );
  });

  test("is taken back under the same name and path", () => {
    expect(endedSessionCookie(true)).toBe(
      "__Host-adjutant_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure",
    );
  });
});

describe("reading a cookie", () => {
  test.each([
    ["alone", "adjutant_session=abc", "abc"],
    ["among others", "theme=dark; adjutant_session=abc; x=y", "abc"],
    ["without a space between pairs", "theme=dark;adjutant_session=abc", "abc"],
    ["with an equals sign in the value", "adjutant_session=a=b", "a=b"],
    ["the first of two", "adjutant_session=first; adjutant_session=second", "first"],
    ["empty", "adjutant_session=", ""],
    ["missing", "theme=dark", null],
    ["another name that ends the same", "xadjutant_session=abc", null],
    ["the prefixed one is another cookie", "__Host-adjutant_session=abc", null],
    ["a pair without a name", "=abc; adjutant_session", null],
    ["no header", null, null],
    ["a prototype's name is no cookie", "__proto__=x", null],
  ])("%s", (_what, header, value) => {
    expect(readCookie(header, sessionCookieName(false))).toBe(value);
  });

  test("the names of the two cookies differ", () => {
    expect(browserCookieName(true)).toBe("__Host-adjutant_browser");
    expect(browserCookieName(false)).toBe("adjutant_browser");
  });
});
