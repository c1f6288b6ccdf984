import { expect, test } from "vitest";
import { parseEnvironment } from "#server/platform/env";
import { isPortalRefusal } from "#server/portal-refusal";
import { portalUser } from "#server/testing/world";
import { assertConfirmed, isConfirmed } from "./confirmation";

const confirmedAt = new Date("2026-01-01T12:00:00Z");
const who = { accountId: "a", playerId: 1 };
const user = portalUser({ now: () => confirmedAt }, who);
const settings = parseEnvironment({});
const after = (seconds: number) => ({
  settings,
  now: () => new Date(confirmedAt.getTime() + seconds * 1000),
});

test("a confirmation counts for two hours", () => {
  expect(isConfirmed(after(7_199), user)).toBe(true);
  expect(isConfirmed(after(7_200), user)).toBe(false);
  expect(() => assertConfirmed(after(7_199), user)).not.toThrow();
});

test("a sign-in that proved neither a game key nor a second factor is no confirmation", () => {
  expect(isConfirmed(after(1), { ...user, confirmedAt: null })).toBe(false);
});

test("a wanted confirmation is told apart from every other failure", () => {
  try {
    assertConfirmed(after(7_200), user);
    expect.unreachable();
  } catch (thrown) {
    expect(isPortalRefusal(thrown, "CONFIRMATION_WANTED")).toBe(true);
  }
  expect(isPortalRefusal(new Error("x"))).toBe(false);
  expect(isPortalRefusal(null)).toBe(false);
});

test("how long it counts is a setting", () => {
  const short = { ...after(60), settings: parseEnvironment({ CONFIRMATION_SECONDS: "60" }) };
  expect(isConfirmed(short, user)).toBe(false);
  expect(isConfirmed({ ...short, now: after(59).now }, user)).toBe(true);
});
