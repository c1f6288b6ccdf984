import { expect, test } from "vitest";
import { routes } from "#server/routes";
import { examplePath, pathParametersOf } from "./path";

test.each(routes.map(({ path }) => path))("every parameter of %s is told in words, with an example", (path) => {
  for (const { description, example } of pathParametersOf(path))
    expect([description, example]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/^\d+$/)]);
});

test("an example's address has no place left to fill in", () => {
  expect(examplePath("/faction/<int:faction_id>/banking/<request_id>")).toBe("/faction/40001/banking/12");
  for (const { path } of routes) expect(examplePath(path)).not.toMatch(/[<>]/);
});
