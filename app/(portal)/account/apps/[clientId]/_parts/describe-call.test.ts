import { expect, test } from "vitest";
import { routes } from "#server/routes";
import { describeCall } from "./describe-call";

test("whatever an application can do is said in a player's words, without a path", () => {
  for (const { did } of routes) expect(did).not.toMatch(/[/<{]|API|endpoint/);
  expect(new Set(routes.map(({ did }) => did)).size).toBe(routes.length);
});

test("a call is named by its endpoint's title, with the way to its page, whatever of its addresses was used", () => {
  const named = {
    ...{ title: "Get User", did: "Read your profile" },
    href: "/docs/api/get-user",
    address: "GET /api/v1/user",
  };
  expect(describeCall("GET", "/api/v1/user")).toEqual(named);
  expect(describeCall("HEAD", "/api/v1/user")).toEqual(named);
});

test("what is no endpoint is said as it was called, and what hit nothing in words", () => {
  expect(describeCall("POST", "/api/v1/user")).toEqual({
    title: "POST /api/v1/user",
    did: "Called POST /api/v1/user",
    href: null,
    address: null,
  });
  expect(describeCall("GET", "unmatched")).toEqual({
    title: "An address that does not exist",
    did: "Called an address that does not exist",
    href: null,
    address: null,
  });
});
