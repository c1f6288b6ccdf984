import { expect, test } from "vitest";
import {
  isStillListed,
  nextTickReadAt,
  tickFreshUntil,
  tickOfAnswer,
  tickTimeAt,
} from "./read-tick";

const at = (text: string) => new Date(`2026-03-01T${text}Z`);

test.each([
  { now: "12:00:04.999", tick: "11:59:00", next: "12:00:05" },
  { now: "12:00:05.000", tick: "12:00:00", next: "12:01:05" },
  { now: "12:00:59.999", tick: "12:00:00", next: "12:01:05" },
  { now: "12:01:04.999", tick: "12:00:00", next: "12:01:05" },
])(
  "at $now the newest tick is that of $tick, and the next is read at $next",
  ({ now, tick, next }) => {
    expect(tickTimeAt(at(now))).toEqual(at(tick));
    expect(nextTickReadAt(at(now))).toEqual(at(next));
  },
);

test("midnight is a minute like every other", () => {
  expect(tickTimeAt(new Date("2026-03-01T00:00:04Z"))).toEqual(new Date("2026-02-28T23:59:00Z"));
  expect(tickTimeAt(new Date("2026-03-01T00:00:05Z"))).toEqual(new Date("2026-03-01T00:00:00Z"));
});

// Europe and America put their clocks forward within these hours; the game's time and ours is UTC.
test.each([
  "2026-03-29T00:59:30Z",
  "2026-03-29T01:30:30Z",
  "2026-03-08T07:00:30Z",
  "2026-10-25T01:00:30Z",
])("%s is no special hour: there is no summer time", (iso) => {
  const now = new Date(iso);
  expect(nextTickReadAt(now).getTime() - tickTimeAt(now).getTime()).toBe(65_000);
  expect(now.getTime() - tickTimeAt(now).getTime()).toBe(30_000);
});

test.each([
  { asked: "12:00:05.000", answered: "12:00:05.400", tick: "12:00:00" },
  { asked: "12:00:53.000", answered: "12:00:59.000", tick: "12:00:00" },
  { asked: "12:00:59.000", answered: "12:01:00.100", tick: null },
  { asked: "12:00:59.000", answered: "12:01:05.100", tick: null },
  { asked: "12:01:02.000", answered: "12:01:02.500", tick: null },
  { asked: "12:01:04.000", answered: "12:01:09.000", tick: null },
])(
  "§7 row 62: what was asked at $asked and came at $answered is the tick of $tick",
  ({ asked, answered, tick }) => {
    expect(tickOfAnswer({ asked: at(asked), answered: at(answered) })).toEqual(tick && at(tick));
  },
);

test("an answer holds until the next tick, a moment while that is late, and not at all before the first", () => {
  const now = at("12:00:20");
  expect(tickFreshUntil(at("12:00:00"), now)).toEqual(at("12:01:05"));
  expect(tickFreshUntil(at("11:59:00"), now)).toEqual(at("12:00:21"));
  expect(tickFreshUntil(undefined, now)).toEqual(now);
});

const now = new Date("2026-03-01T12:00:05Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);

test.each([
  { since: null, awaited: true },
  { since: ago(60), awaited: true },
  { since: ago(3_599), awaited: true },
  { since: ago(3_600), awaited: false },
])("a stock that is missing since $since is awaited: $awaited", ({ since, awaited }) => {
  expect(isStillListed({ missingSince: since }, now)).toBe(awaited);
});
