import { expect, test } from "vitest";
import { pageByOffset, pageByTime, type TimeRange } from "./paging";

const now = new Date("2026-01-01T00:00:00.000Z");
const present = now.getTime() / 1000;
/** One row every ten seconds of the last hour, and some in the future. */
const rows = Array.from({ length: 400 }, (_, index) => present - 3_600 + 10 * index);

const source = {
  rows: ({ from, to, sort }: TimeRange) => {
    const inside = rows.filter((at) => at >= from && at <= to);
    return sort === "DESC" ? inside.reverse() : inside;
  },
  at: (row: number) => row,
};
const asked = (url: string, fromIncluded = false) => ({ url: new URL(url), now, fromIncluded });
const page = (query: string, fromIncluded?: boolean) =>
  pageByTime(asked(`http://game.invalid/v2/faction/attacks?${query}`, fromIncluded), source);

function readAll(query: string): number[] {
  const read: number[] = [];
  let next: string | null = `http://game.invalid/v2/x?${query}`;
  while (next) {
    const found: ReturnType<typeof page> = pageByTime(asked(next), source);
    read.push(...found.rows.filter((row) => !read.includes(row)));
    next = found._metadata.links.next;
  }
  return read;
}

test("newest first and a hundred rows, unless it is asked otherwise; never a row of the future", () => {
  expect(page("").rows).toEqual(Array.from({ length: 100 }, (_, index) => present - 10 * index));
  expect(page("limit=3&sort=ASC").rows).toEqual(rows.slice(0, 3));
  expect(page("limit=1000").rows.length).toBe(100);
  expect(page("limit=0").rows.length).toBe(1);
});

test("the second of `to` is included, that of `from` only where the game is said to do so", () => {
  expect(page(`from=${present - 20}&to=${present - 10}`).rows).toEqual([present - 10]);
  expect(page(`from=${present - 20}&to=${present - 10}`, true).rows).toEqual([
    present - 10,
    present - 20,
  ]);
  expect(page(`from=${present}&to=${present - 1}`).rows).toEqual([]);
});

test("following next reads every row, in both directions", () => {
  const past = rows.filter((at) => at <= present);
  expect(readAll("limit=17&sort=ASC")).toEqual(past);
  expect(readAll("limit=100")).toEqual([...past].reverse());
});

test("a link is a full URL without the key, and prev leads back", () => {
  const first = page("limit=5&key=SecretSecret0123&comment=me");
  expect(first._metadata.links.prev).toBeNull();
  const next = new URL(first._metadata.links.next ?? "");
  expect(next.href).toBe(
    `http://game.invalid/v2/faction/attacks?limit=5&comment=me&to=${present - 40}`,
  );
  const second = pageByTime(asked(next.href), source);
  const back = pageByTime(asked(second._metadata.links.prev ?? ""), source);
  expect(back.rows).toEqual([...first.rows].reverse().slice(0, 5));
});

test("a list by offset says where it goes on, and stops at its end", () => {
  const at = (query: string) => pageByOffset(new URL(`http://game.invalid/v2/x?${query}`), rows);
  expect(at("limit=4&offset=8").rows).toEqual(rows.slice(8, 12));
  expect(at("limit=4&offset=8")._metadata.links).toEqual({
    next: "http://game.invalid/v2/x?limit=4&offset=12",
    prev: "http://game.invalid/v2/x?limit=4&offset=4",
  });
  expect(at("offset=350")).toMatchObject({
    rows: rows.slice(350),
    _metadata: { links: { next: null } },
  });
});
