import { expect, test } from "vitest";
import { farFuture, federalUntil, statScore } from "./player";

const end = new Date("2026-04-01T00:00:00.000Z");

test.each([
  { state: "Okay", until: null, federal: null },
  { state: "Hospital", until: end, federal: null },
  { state: "Jail", until: end, federal: null },
  { state: "Dormant", until: null, federal: null },
  { state: "Federal", until: end, federal: end },
  { state: "Federal", until: null, federal: farFuture },
  { state: "Fallen", until: null, federal: farFuture },
  { state: "Fallen", until: end, federal: farFuture },
])("$state until $until is federal until $federal", ({ state, until, federal }) => {
  expect(federalUntil({ state, until })).toEqual(federal);
});

test.each([
  { stats: [100, 100, 100, 100], score: 40 },
  { stats: [400, 0, 0, 0], score: 20 },
  { stats: [0, 0, 0, 0], score: 0 },
  { stats: [1, 4, 9, 16], score: 10 },
  { stats: [1e11, 1e11, 1e11, 1e11], score: 4 * Math.sqrt(1e11) },
])(
  "stats of $stats make a score of $score",
  ({ stats: [strength = 0, defense = 0, speed = 0, dexterity = 0], score }) => {
    expect(statScore({ strength, defense, speed, dexterity })).toBe(score);
  },
);
