import { expect, test } from "vitest";
import type { PortalUser } from "#server/actor";
import { assertFresh, freshSignInSeconds, isFresh, isSignInStale } from "./fresh-sign-in";

const authenticatedAt = new Date("2026-01-01T12:00:00Z");
const user: PortalUser = {
  kind: "portal",
  accountId: "a",
  playerId: 1,
  sessionHash: "h",
  authenticatedAt,
  admin: false,
};
const after = (seconds: number) => new Date(authenticatedAt.getTime() + seconds * 1000);

test("a sign-in is fresh for fifteen minutes", () => {
  expect(freshSignInSeconds).toBe(900);
  expect(isFresh(user, after(899))).toBe(true);
  expect(isFresh(user, after(900))).toBe(false);
  expect(() => assertFresh(user, after(899))).not.toThrow();
});

test("a stale sign-in is told apart from every other failure", () => {
  try {
    assertFresh(user, after(900));
    expect.unreachable();
  } catch (thrown) {
    expect(isSignInStale(thrown)).toBe(true);
  }
  expect(isSignInStale(new Error("x"))).toBe(false);
  expect(isSignInStale(null)).toBe(false);
});
