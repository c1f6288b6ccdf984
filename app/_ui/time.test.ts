import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Countdown } from "./countdown";
import { exactTime, relativeTime, Time } from "./time";

const now = 1_795_262_928;
const day = 86_400;

test.each([
  [0, "just now"],
  [-44, "just now"],
  [2, "just now"],
  [20, "in a moment"],
  [-45, "1 minute ago"],
  [-89, "1 minute ago"],
  [-300, "5 minutes ago"],
  [-3_400, "1 hour ago"],
  [7_200, "in 2 hours"],
  [-23 * 3_600, "1 day ago"],
  [3 * day, "in 3 days"],
  [-27 * day, "27 days ago"],
  [-28 * day, "24 Oct 2026"],
  [400 * day, "26 Dec 2027"],
])("%d seconds away reads %s", (offset, words) => {
  expect(relativeTime(now + offset, now)).toBe(words);
});

test("the exact time names its zone", () => {
  expect(exactTime(now, "UTC")).toBe("21 Nov 2026, 12:08:48 UTC");
});

test("a translator leaves times and countdowns alone, so that they go on", () => {
  const times = [
    createElement(Time, { at: 100 }),
    createElement(Countdown, { until: 100_000, now: 1_000, label: "Answer within", over: "Over" }),
  ];
  for (const time of times) expect(renderToStaticMarkup(time)).toMatch(/<time[^>]* translate="no"/);
});
