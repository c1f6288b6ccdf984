import { expect, test } from "vitest";
import { federalUntil, forEver } from "./player";

const end = new Date("2026-04-01T00:00:00.000Z");

test.each([
  { state: "Okay", until: null, federal: null },
  { state: "Hospital", until: end, federal: null },
  { state: "Jail", until: end, federal: null },
  { state: "Dormant", until: null, federal: null },
  { state: "Federal", until: end, federal: end },
  { state: "Federal", until: null, federal: forEver },
  { state: "Fallen", until: null, federal: forEver },
  { state: "Fallen", until: end, federal: forEver },
])("$state until $until is federal until $federal", ({ state, until, federal }) => {
  expect(federalUntil({ state, until })).toEqual(federal);
});
