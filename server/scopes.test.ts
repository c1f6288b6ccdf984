import { expect, test } from "vitest";
import { covers, type ScopeName, scopeNames, takeAway } from "./scopes";

test.each<[ScopeName[], ScopeName[], ScopeName[]]>([
  [["identity", "faction"], [], ["identity", "faction"]],
  [["identity", "faction"], ["identity"], ["faction"]],
  [["identity", "faction"], ["faction"], ["identity"]],
  [["identity", "faction"], ["faction:banking"], ["identity", "faction:attacks", "faction:crimes"]],
  [["faction", "faction:banking"], ["faction:banking"], ["faction:attacks", "faction:crimes"]],
  [["faction", "faction:banking"], ["faction"], ["faction:banking"]],
  [["faction", "identity"], ["faction", "faction:banking"], ["identity"]],
  [["faction:banking"], ["faction:crimes"], ["faction:banking"]],
])("of %j without %j there is left %j", (held, taken, left) => {
  expect(takeAway(held, taken)).toEqual(left);
});

test("what was taken away is not covered by what is left, and nothing is covered that was not before", () => {
  const sets = Array.from({ length: 2 ** scopeNames.length }, (_, chosen) =>
    scopeNames.filter((_name, place) => chosen & (1 << place)),
  );
  for (const held of sets)
    for (const taken of sets) {
      const left = takeAway(held, taken);
      const added = left.filter((scope) => !covers(held, scope));
      // Removing `faction` keeps parts that were held by their own names.
      const back = taken.filter((scope) => covers(left, scope));
      expect([held, taken, added, back]).toEqual([held, taken, [], []]);
    }
});
