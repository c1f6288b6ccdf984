import { expect, test } from "vitest";
import { movableClock } from "#server/testing/movable-clock";
import { createKeyRests } from "./key-rests";

const [key, other] = ["SecretSecret0123", "OtherSecret01234"];

function rests(at = "2026-03-01T23:00:00.000Z") {
  const clock = movableClock(new Date(at));
  return { clock, rests: createKeyRests(clock.now) };
}

test("a selection that is spent for the day is skipped until midnight UTC, for that key and that selection alone", () => {
  const { clock, rests: known } = rests();
  known.note(key, "faction/attacks", "daily-limit");
  expect(known.refusal(key, "faction/attacks")).toMatchObject({ kind: "daily-limit", retryAfter: 3_600 });
  expect(known.refusal(key, "faction/news")).toBeUndefined();
  expect(known.refusal(other, "faction/attacks")).toBeUndefined();
  expect([known.of(key), known.of(other)]).toEqual(["partly", null]);
  clock.advance(3_600);
  expect(known.refusal(key, "faction/attacks")).toBeUndefined();
  expect(known.of(key)).toBeNull();
});

test("a key that its owner just changed rests for a minute, whatever is asked", () => {
  const { clock, rests: known } = rests();
  known.note(key, "user/profile", "key-just-changed");
  expect(known.refusal(key, "faction/news")).toMatchObject({ kind: "key-just-changed", retryAfter: 60 });
  expect(known.of(key)).toBe("wholly");
  clock.advance(60);
  expect(known.refusal(key, "faction/news")).toBeUndefined();
});

test("other refusals say nothing about the next call", () => {
  const { rests: known } = rests();
  for (const kind of ["server-side", "key-dead", "access-level", "unknown-id"] as const)
    known.note(key, "user/profile", kind);
  expect(known.refusal(key, "user/profile")).toBeUndefined();
});
