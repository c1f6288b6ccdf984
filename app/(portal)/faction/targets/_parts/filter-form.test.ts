import { expect, test } from "vitest";
import { readTargetFilter } from "./filter-form";

test("an address without words asks for what the API's body does by default", () => {
  expect(readTargetFilter({})).toMatchObject({
    filter: {
      minimum_difficulty: 1,
      maximum_difficulty: 3,
      sort_order: "random",
      limit: 25,
      is_inactive: false,
    },
  });
});

test("words of the address are numbers and switches of the body", () => {
  expect(
    readTargetFilter({
      minimum_difficulty: "2.5",
      limit: "50",
      is_inactive: "true",
      sort_order: "highest-respect",
    }),
  ).toMatchObject({
    filter: {
      minimum_difficulty: 2.5,
      limit: 50,
      is_inactive: true,
      is_factionless: false,
      sort_order: "highest-respect",
    },
  });
});

test.each([
  [{ limit: "0" }, ["limit"]],
  [{ limit: "many", minimum_level: "1.5" }, ["minimum_level", "limit"]],
  [{ minimum_difficulty: "3", maximum_difficulty: "2" }, ["maximum_difficulty"]],
  [{ sort_order: "best" }, ["sort_order"]],
])("of %j the wrong fields are named", (typed, wrong) => {
  expect(readTargetFilter(typed)).toEqual({ wrong });
});
