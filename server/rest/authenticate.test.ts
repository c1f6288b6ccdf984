import { expect, test } from "vitest";
import { createRefusals } from "./authenticate";

const noon = new Date("2026-03-01T12:00:10Z");
const later = (seconds: number) => new Date(noon.getTime() + seconds * 1_000);
const refusal = {
  state: { policy: "holder", allowed: false, limit: 250, remaining: 0, reset: 50 },
  actor: {
    kind: "token",
    accountId: "a",
    playerId: 1,
    clientId: "b",
    consentId: "c",
    grantId: "d",
    scopes: [],
  },
} as const;

test("a refusal binds its token and policy until the clock minute ends", () => {
  const refusals = createRefusals();
  refusals.remember("token", refusal, noon);
  expect(refusals.find("token", "holder", later(49))).toEqual(refusal);
  expect(refusals.find("token", "chain-list", noon)).toBeUndefined();
  expect(refusals.find("other", "holder", noon)).toBeUndefined();
  expect(refusals.find("token", "holder", later(50))).toBeUndefined();
});
