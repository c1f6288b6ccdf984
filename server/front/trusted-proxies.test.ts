import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { createOriginResolver } from "./trusted-proxies";

const asked = (remoteAddress: string | undefined, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;

test("without trusted proxies the socket alone counts", () => {
  const cameFrom = createOriginResolver([]);
  expect(
    cameFrom(
      asked("203.0.113.9", { "x-forwarded-for": "198.51.100.1", "x-forwarded-proto": "http" }),
    ),
  ).toEqual({
    address: "203.0.113.9",
    insecure: false,
  });
  expect(cameFrom(asked("::ffff:203.0.113.9")).address).toBe("203.0.113.9");
  expect(cameFrom(asked(undefined)).address).toBeNull();
});

describe("behind trusted proxies", () => {
  const cameFrom = createOriginResolver(["10.0.0.0/8", "192.0.2.1", "2001:db8::/32"]);
  test.each([
    ["10.1.2.3", "198.51.100.1", "198.51.100.1"],
    ["::ffff:10.1.2.3", "198.51.100.1", "198.51.100.1"],
    ["2001:db8::5", "198.51.100.1, 192.0.2.1", "198.51.100.1"],
    // Client-supplied entries are further left and ignored.
    ["10.1.2.3", "1.1.1.1, 198.51.100.1, 10.9.9.9", "198.51.100.1"],
    ["10.1.2.3", "1.1.1.1, nonsense, 10.9.9.9", "10.9.9.9"],
    ["10.1.2.3", "", "10.1.2.3"],
    ["10.1.2.3", "2001:db9::1", "2001:db9::1"],
    ["10.1.2.3", "198.51.100.1:4711", "198.51.100.1"],
    ["10.1.2.3", "[2001:db9::1]:4711, 10.9.9.9:80", "2001:db9::1"],
    ["10.1.2.3", "[2001:db9::1", "10.1.2.3"],
    // An untrusted proxy cannot set the address.
    ["203.0.113.9", "198.51.100.1", "203.0.113.9"],
  ])("%s says %j: %s", (socket, forwarded, address) => {
    expect(cameFrom(asked(socket, { "x-forwarded-for": forwarded })).address).toBe(address);
  });
  test("plain http is learnt from the nearest proxy alone (HD-10)", () => {
    expect(cameFrom(asked("10.1.2.3", { "x-forwarded-proto": "http" })).insecure).toBe(true);
    expect(cameFrom(asked("10.1.2.3", { "x-forwarded-proto": "http, https" })).insecure).toBe(
      false,
    );
    expect(cameFrom(asked("203.0.113.9", { "x-forwarded-proto": "http" })).insecure).toBe(false);
  });
});

test("a request id is a trusted proxy's to give, and has the form of one", () => {
  const cameFrom = createOriginResolver(["10.0.0.0/8"]);
  const idOf = (socket: string, sent: string) =>
    cameFrom(asked(socket, { "x-request-id": sent })).requestId;
  for (const id of ["0f9f2f5e-6a3b-4a7e-9d53-2c1b8f6d7e90", "a".repeat(32), "x".repeat(64)])
    expect([id, idOf("10.1.2.3", id), idOf("203.0.113.9", id)]).toEqual([id, id, undefined]);
  for (const id of [
    "",
    "short",
    "x".repeat(65),
    "a".repeat(16).concat("\n"),
    "a b c d e f g h i j",
    "a".repeat(20).concat(",b"),
  ])
    expect([id, idOf("10.1.2.3", id)]).toEqual([id, undefined]);
});

test.each(["nonsense", "10.0.0.0/33", "10.0.0.0/x", "300.1.1.1", "::/129"])(
  "%s stops the start by name",
  (entry) => {
    expect(() => createOriginResolver([entry])).toThrow(`TRUSTED_PROXIES is wrong: "${entry}"`);
  },
);
