import { expect, test } from "vitest";
import { type GameCallErrorKind, kindOfGameCode } from "#server/game/game-call-error";
import { keyErrorEffects, mayTryAgain } from "./call-game";

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

const allCodes = Array.from({ length: 31 }, (_, code) => ({
  code,
  becomes: states[code] ?? "stays as it is",
}));

test.each(allCodes)("after the game's code $code a key $becomes", ({ code, becomes }) => {
  const act = keyErrorEffects[kindOfGameCode(code)];
  const did =
    act?.state ??
    (act?.endsFactionAccess && "loses faction access") ??
    (act?.tooWeakForFaction && "too weak for faction data") ??
    "stays as it is";
  expect(did).toBe(becomes);
});

test("a failure that says nothing about the key leaves it alone", () => {
  for (const kind of ["network", "timeout", "unexpected-answer", "owner-budget"] as const)
    expect(keyErrorEffects[kind]).toBeUndefined();
});

test.each<GameCallErrorKind>(["server-side", "network", "timeout"])(
  "a %s may be gone a moment later",
  (kind) => {
    expect(mayTryAgain(kind, "user", 100)).toBe(true);
  },
);

test("nothing else is asked again: the answer would be the same, and bad calls count against our address", () => {
  const again = new Set<GameCallErrorKind>(["server-side", "network", "timeout"]);
  for (let code = 0; code <= 31; code++) {
    const kind = kindOfGameCode(code);
    expect(mayTryAgain(kind, "background", 0)).toBe(again.has(kind));
  }
  for (const kind of ["unexpected-answer", "ip-block", "owner-budget"] as const)
    expect(mayTryAgain(kind, "background", 0)).toBe(false);
});

test("a caller is not kept waiting for another try after a slow first one", () => {
  expect(mayTryAgain("timeout", "user", 6_000)).toBe(false);
  expect(mayTryAgain("timeout", "background", 6_000)).toBe(true);
  expect(mayTryAgain("timeout", "background", 12_000)).toBe(false);
});
