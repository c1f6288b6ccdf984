import { expect, test } from "vitest";
import { type GameCallErrorKind, kindOfGameCode } from "./game-call-error";
import { jitteredSecondTry, mayTryAgain } from "./wait-for-game";

test.each<GameCallErrorKind>(["server-side", "network", "timeout"])("a %s may be gone a moment later", (kind) => {
  expect(mayTryAgain(kind, "user", 100)).toBe(true);
});

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

test("second tries come apart from one another by chance", () => {
  const at = (byte: number) => jitteredSecondTry({ bytes: () => Buffer.of(byte) }).pauseMs();
  expect([at(0), at(128), at(255)]).toEqual([100, 228, 355]);
});
