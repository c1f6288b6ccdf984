import { expect, test } from "vitest";
import { readCallQuery } from "./request-log";

test("the filters of an address are read, and stand in the next one", () => {
  const { filter, query, isFiltered } = readCallQuery({
    outcome: "401",
    endpoint: "GET /api/v1/user",
    player: " Sparrow [12] ",
    range: "1h",
    until: "2026-03-01T12:05",
    after: "1.2",
  });
  expect(filter).toEqual({
    outcome: "401",
    endpoint: "GET /api/v1/user",
    player: "Sparrow [12]",
    range: "1h",
    until: new Date("2026-03-01T12:05:59.999Z"),
    after: "1.2",
  });
  expect(isFiltered).toBe(true);
  const again = readCallQuery(Object.fromEntries(new URLSearchParams(query)));
  expect(again.filter).toEqual({ ...filter, after: null });
});

test("what is none of the choices is as if it were absent", () => {
  const plain = readCallQuery({});
  expect(plain).toMatchObject({
    query: "",
    isFiltered: false,
    filter: { outcome: "all", range: "30d" },
  });
  expect(
    readCallQuery({
      outcome: "odd",
      range: "1y",
      until: "2026-13-40T99:99",
      player: ["a", "b"],
    }),
  ).toEqual(plain);
});
