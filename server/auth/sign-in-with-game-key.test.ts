import { expect, test } from "vitest";
import { isSufficientKey } from "./sign-in-with-game-key";

const needed = ["profile", "discord", "faction"];

test.each<[string, number, Record<string, string[]>, boolean]>([
  ["Public Only", 1, {}, true],
  ["Minimal Access", 2, {}, true],
  ["Limited Access", 3, {}, true],
  ["Full Access", 4, {}, true],
  ["a custom key with what is needed", 0, { user: [...needed, "battlestats"] }, true],
  ["a custom key without the chat id", 0, { user: ["profile", "faction"] }, false],
  ["a custom key that reads factions alone", 0, { faction: needed }, false],
  ["a custom key that reads nothing", 0, {}, false],
])("%s", (_what, level, selections, sufficient) => {
  expect(isSufficientKey({ level, selections })).toBe(sufficient);
});
