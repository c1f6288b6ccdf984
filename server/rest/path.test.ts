import { describe, expect, expectTypeOf, test } from "vitest";
import { routes } from "#server/routes";
import type { PathParams } from "./endpoint";
import { examplePath, openApiPath, pathParametersOf } from "./path";
import { parsePath, readInt, readSegment } from "./router";

test("a path's text gives the type of its parameters", () => {
  expectTypeOf<PathParams<"/faction/<int:faction_id>/banking/<request_id>">>().toExtend<{
    readonly faction_id: number;
    readonly request_id: string;
  }>();
});

test("a path is written in the specification's notation and no other", () => {
  expect(parsePath("/user/<int:user_id>")).toEqual([
    { kind: "text", text: "user" },
    { kind: "int", name: "user_id" },
  ]);
  for (const wrong of ["user", "/user/:id", "/user/{id}", "/user/", "/<int:>", "/<float:x>"])
    expect(() => parsePath(wrong), wrong).toThrow();
  expect(openApiPath("/faction/<int:faction_id>/banking/<request_id>")).toBe(
    "/faction/{faction_id}/banking/{request_id}",
  );
});

describe("<int:…> matches digits alone, 1 … 2^31−1 (ER-08)", () => {
  test.each([
    ["1", 1],
    ["2147483647", 2_147_483_647],
  ])("%s", (text, value) => expect(readInt(text)).toBe(value));
  test.each([
    "0",
    "",
    "01",
    "-1",
    "+1",
    "1.5",
    "1e3",
    "0x10",
    "2147483648",
    "9223372036854775808",
    "٣",
    "１",
    " 1",
    "1 ",
    "%31",
  ])("not %j", (text) => expect(readInt(text)).toBeUndefined());
});

describe("a text segment is decoded once", () => {
  test.each([
    ["abc", "abc"],
    ["a%2Fb", "a/b"],
    ["%2541", "%41"],
    ["%F0%9F%98%80", "😀"],
  ])("%s", (text, value) => expect(readSegment(text)).toBe(value));
  test.each(["", "%", "%zz", "%C3%28", "%00", "%ED%A0%80"])("not %j", (text) =>
    expect(readSegment(text)).toBeUndefined(),
  );
});

test.each(routes.map(({ path }) => path))(
  "every parameter of %s is told in words, with an example",
  (path) => {
    for (const { description, example } of pathParametersOf(path))
      expect([description, example]).toEqual([
        expect.stringMatching(/\.$/),
        expect.stringMatching(/^\d+$/),
      ]);
  },
);

test("an example's address has no place left to fill in", () => {
  expect(examplePath("/faction/<int:faction_id>/banking/<request_id>")).toBe(
    "/faction/40001/banking/12",
  );
  for (const { path } of routes) expect(examplePath(path)).not.toMatch(/[<>]/);
});
