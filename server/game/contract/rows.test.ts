import { expect, test } from "vitest";
import { z } from "zod";
import { countUnreadable, rowsOf, rowsSent } from "./rows";

const list = rowsOf(z.object({ id: z.int(), name: z.string() }));
const row = { id: 1, name: "One" };

test("a row that cannot be read is left out, counted, and costs none of the others", () => {
  const rows = list.parse([row, { id: "2", name: "Two" }, null, { id: 3, name: "Three" }]);
  expect(rows).toEqual([row, { id: 3, name: "Three" }]);
  expect(rowsSent(rows)).toBe(4);
  expect(countUnreadable(rows, list.parse([row]))).toEqual({ unreadable: 2 });
});

test("a list without fault counts nothing", () => {
  expect(countUnreadable(list.parse([row]), list.parse([]))).toEqual({});
});

test("several rows of which none can be read are not the list that was asked for", () => {
  expect(list.safeParse([{ id: "1" }, { id: "2" }]).success).toBe(false);
  expect(list.parse([{ id: "1" }]).unreadable?.rows).toBe(1);
});

test.each([{}, null, "text", undefined])("%j is no list", (answer) => {
  expect(list.safeParse(answer).success).toBe(false);
});

test("what is said of an unreadable row names fields and kinds, and nothing that the game sent", () => {
  const keyed = rowsOf(z.record(z.string(), z.int()));
  const secret = "SecretSecret0123";
  const { unreadable } = keyed.parse([{ a: 1 }, { [secret]: secret }]);
  expect(unreadable?.why).toEqual(["? invalid_type"]);
});
