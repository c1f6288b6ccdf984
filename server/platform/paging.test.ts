import { describe, expect, test } from "vitest";
import { pageOf, readCursor, writeCursor } from "./paging";

const row = (id: number) => ({ at: new Date(1_000 * id), id: String(id) });

describe("a list", () => {
  test("names a further page only where there is one", () => {
    expect(pageOf([row(3), row(2)], 2)).toEqual({ rows: [row(3), row(2)], next: null });
    expect(pageOf([row(3), row(2), row(1)], 2)).toEqual({
      rows: [row(3), row(2)],
      next: writeCursor(row(2)),
    });
    expect(pageOf([], 2)).toEqual({ rows: [], next: null });
  });

  test("goes on where the page before ended", () => {
    expect(readCursor(writeCursor(row(2)))).toEqual(row(2));
  });

  test.each([
    null,
    undefined,
    "",
    "x",
    "1_",
    "_1",
    "-1_2",
    "1_2_3",
    "1_zz",
    `${"9".repeat(16)}_1`,
    "1_1' or 1=1",
  ])("shows its first page for the cursor %j", (text) => {
    expect(readCursor(text)).toBeNull();
  });
});
