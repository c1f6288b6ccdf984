import { expect, test } from "vitest";
import { jitteredSecondTry } from "./wait-for-game";

test("second tries come apart from one another by chance", () => {
  const at = (byte: number) => jitteredSecondTry({ bytes: () => Buffer.of(byte) }).pauseMs();
  expect([at(0), at(128), at(255)]).toEqual([100, 228, 355]);
});
