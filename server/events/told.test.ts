import { expect, test } from "vitest";
import { toldWith } from "./told";

test("a scope is told of in one sentence, each thing once", () => {
  expect(toldWith(["faction:attacks"])).toBe(
    "It is told when a member of your faction is hit, or when such a hit is answered or its five minutes are over.",
  );
  expect(toldWith(["faction:crimes"])).toBe("It is told when a member delays an organized crime, or it can go on.");
});

test("the parent tells of all that its parts tell of", () => {
  const whole = toldWith(["faction"]) ?? "";
  for (const part of ["is hit", "vault request", "organized crime", "joins or leaves", "positions"])
    expect(whole).toContain(part);
});

test("scopes that open no events say nothing", () => {
  expect(toldWith(["identity", "service_key:usage"])).toBeNull();
  expect(toldWith([])).toBeNull();
});
