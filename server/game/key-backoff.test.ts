import { expect, test } from "vitest";
import { movableClock } from "#server/testing/movable-clock";
import { createKeyBackoff } from "./key-backoff";

const [key, other] = ["SecretSecret0123", "OtherSecret01234"];

function rests(at = "2026-03-01T23:00:00.000Z") {
  const clock = movableClock(new Date(at));
  return { clock, rests: createKeyBackoff(clock.now) };
}

test("a category of rows that is spent rests for an hour, for that key and whatever call reads it", () => {
  const { clock, rests: known } = rests("2026-03-01T23:59:00.000Z");
  known.note(key, "user/profile,discord,faction,personalstats", "daily-limit");
  for (const selection of [
    "user/personalstats",
    "user/profile,discord,faction,battlestats,personalstats",
  ])
    expect(known.refusal(key, selection)).toMatchObject({ kind: "daily-limit", retryAfter: 3_600 });
  expect(known.refusal(key, "user/profile,discord,faction")).toBeUndefined();
  expect(known.refusal(key, "faction/news,basic")).toBeUndefined();
  expect(known.refusal(other, "user/personalstats")).toBeUndefined();
  expect([known.of(key), known.of(other)]).toEqual(["partly", null]);
  clock.advance(3_600);
  expect(known.refusal(key, "user/personalstats")).toBeUndefined();
  expect(known.of(key)).toBeNull();
});

test("the rest doubles up to six hours while the game refuses, and is an hour again after an answer", () => {
  const { clock, rests: known } = rests();
  const lengths = [1, 2, 3, 4, 5].map(() => {
    known.note(key, "faction/news,basic", "daily-limit");
    // A second call that was under way is refused too: that is the same refusal.
    known.note(key, "faction/news", "daily-limit");
    const seconds = known.refusal(key, "faction/news")?.retryAfter ?? 0;
    known.answered(key, "faction/news");
    clock.advance(seconds);
    return seconds / 3_600;
  });
  expect(lengths).toEqual([1, 2, 4, 6, 6]);
  known.answered(key, "faction/news");
  known.note(key, "faction/news", "daily-limit");
  expect(known.refusal(key, "faction/news")?.retryAfter).toBe(3_600);
});

test("a key that its owner just changed rests for a minute, whatever is asked", () => {
  const { clock, rests: known } = rests();
  known.note(key, "user/profile", "key-just-changed");
  expect(known.refusal(key, "faction/news")).toMatchObject({
    kind: "key-just-changed",
    retryAfter: 60,
  });
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
