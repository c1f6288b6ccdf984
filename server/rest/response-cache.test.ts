import { expect, test } from "vitest";
import { createResponseCache } from "./response-cache";

const noon = new Date("2026-03-01T12:00:10Z");
const later = (seconds: number) => new Date(noon.getTime() + seconds * 1_000);
const state = { policy: "holder", allowed: false, limit: 250, remaining: 0, reset: 50 };

test("a refusal binds its token and policy until the clock minute ends", () => {
  const memory = createResponseCache();
  memory.rememberRefusal("token", state, noon);
  expect(memory.refusal("token", "holder", later(49))).toEqual(state);
  expect(memory.refusal("token", "chain-list", noon)).toBeUndefined();
  expect(memory.refusal("other", "holder", noon)).toBeUndefined();
  expect(memory.refusal("token", "holder", later(50))).toBeUndefined();
});

test("an answer is kept until it is stale, and the oldest makes room", () => {
  const memory = createResponseCache();
  const answer = { body: "[]", etag: undefined, link: undefined, staleAt: later(10).getTime() };
  memory.saveResponse("first", answer);
  expect(memory.response("first", later(9))).toEqual(answer);
  expect(memory.response("first", later(10))).toBeUndefined();
  memory.saveResponse("first", answer);
  for (let at = 0; at < 1_000; at++) memory.saveResponse(`more ${at}`, answer);
  expect(memory.response("first", noon)).toBeUndefined();
  expect(memory.response("more 999", noon)).toEqual(answer);
});

test("what a player was told is told to nobody else, and not after their record changed", () => {
  const memory = createResponseCache();
  const answer = { body: "{}", etag: undefined, link: undefined, staleAt: later(1).getTime() };
  memory.keepOwnAnswer(1, "/user?", answer);
  expect(memory.ownAnswer(1, "/user?", noon)).toEqual(answer);
  expect(memory.ownAnswer(2, "/user?", noon)).toBeUndefined();
  expect(memory.ownAnswer(1, "/other?", noon)).toBeUndefined();
  expect(memory.ownAnswer(1, "/user?", later(1))).toBeUndefined();
  memory.keepOwnAnswer(1, "/user?", answer);
  memory.forgetPlayer(1);
  expect(memory.ownAnswer(1, "/user?", noon)).toBeUndefined();
});
