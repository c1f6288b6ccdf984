import { expect, test } from "vitest";
import { kindOfGameCode } from "#server/game/game-call-error";
import { keyActs } from "./act-on-key";

/** What becomes of a key by the game's error code; every other code leaves it as it is. */
const states: Readonly<Record<number, string>> = {
  1: "dead",
  2: "dead",
  7: "loses faction access",
  10: "disabled",
  13: "disabled",
  16: "too weak for faction data",
  18: "paused",
};

const allCodes = Array.from({ length: 31 }, (_, code) => ({ code, becomes: states[code] ?? "stays as it is" }));

test.each(allCodes)("after the game's code $code a key $becomes", ({ code, becomes }) => {
  const act = keyActs[kindOfGameCode(code)];
  const did =
    act?.state ??
    (act?.endsFactionAccess && "loses faction access") ??
    (act?.tooWeakForFaction && "too weak for faction data") ??
    "stays as it is";
  expect(did).toBe(becomes);
});

test("a failure that says nothing about the key leaves it alone", () => {
  for (const kind of ["network", "timeout", "unexpected-answer", "owner-budget"] as const)
    expect(keyActs[kind]).toBeUndefined();
});
