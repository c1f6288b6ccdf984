import { expect, test } from "vitest";
import { createMetrics } from "#server/platform/metrics";
import { createResponseCache } from "./response-cache";

const noon = new Date("2026-03-01T12:00:10Z");
const later = (milliseconds: number) => new Date(noon.getTime() + milliseconds);

test("an answer is kept until it is stale, and the oldest makes room", () => {
  const cache = createResponseCache(createMetrics());
  const answer = { body: "[]", etag: undefined, link: undefined, staleAt: later(10_000).getTime() };
  const save = (address: string) => cache.entry("everybody", address).save(answer, noon);
  const find = (address: string, now: Date) => cache.entry("everybody", address).find(now);
  save("first");
  expect(find("first", later(9_000))).toEqual(answer);
  expect(find("first", later(10_000))).toBeUndefined();
  save("first");
  for (let at = 0; at < 1_000; at++) save(`more ${at}`);
  expect(find("first", noon)).toBeUndefined();
  expect(find("more 999", noon)).toEqual(answer);
});

test("what a player was told is told to nobody else, for 800 ms from when the call began, and not after their record changed", () => {
  const cache = createResponseCache(createMetrics());
  const answer = { body: "{}", etag: undefined, link: undefined, staleAt: 0 };
  const find = (playerId: number, address: string, now: Date) =>
    cache.entry(playerId, address).find(now)?.body;
  cache.entry(1, "/user?").save(answer, noon);
  expect(find(1, "/user?", later(799))).toBe("{}");
  expect(find(2, "/user?", noon)).toBeUndefined();
  expect(find(1, "/other?", noon)).toBeUndefined();
  expect(cache.entry("everybody", "/user?").find(noon)).toBeUndefined();
  expect(find(1, "/user?", later(800))).toBeUndefined();
  cache.entry(1, "/user?").save(answer, noon);
  cache.forgetPlayer(1);
  expect(find(1, "/user?", noon)).toBeUndefined();
});
