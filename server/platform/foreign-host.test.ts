import { afterEach, describe, expect, test } from "vitest";
import { isForeignHost, refuseForeignHost } from "./foreign-host";
import { announceFront, peerAddress } from "./peer-address";

afterEach(() => void Reflect.deleteProperty(globalThis, Symbol.for("adjutant.front")));

describe("a request for another host", () => {
  test.each([
    ["https://portal.test", ["portal.test", "PORTAL.test", "portal.test:443"]],
    ["https://portal.test:8443", ["portal.test:8443"]],
    ["http://localhost:3000", ["localhost:3000", "127.0.0.1:3000", "[::1]:3000", "localhost"]],
  ])("is none under %s for %j", (baseUrl, hosts) => {
    for (const host of [...hosts, null])
      expect([host, isForeignHost(host, { baseUrl })]).toEqual([host, false]);
  });

  test.each([
    [
      "https://portal.test",
      ["evil.test", "portal.test.evil.test", "portal.test:8443", "localhost", "", "portal.test."],
    ],
    [
      "https://portal.test",
      ["x@portal.test", "portal.test/x", "portal.test#", "portal.test, evil.test", "portal test"],
    ],
    [
      "http://localhost:3000",
      ["evil.test", "localhost.evil.test", "127.0.0.2:3000", "localhost:x"],
    ],
  ])("is one under %s for %j", (baseUrl, hosts) => {
    for (const host of hosts)
      expect([host, isForeignHost(host, { baseUrl })]).toEqual([host, true]);
  });

  const settings = { baseUrl: "https://portal.test", https: true, development: false };
  const ask = (path: string, host: string) =>
    refuseForeignHost(
      new Request(`http://10.0.0.1${path}`, { headers: { host } }),
      settings,
      "an id",
    );

  test("is refused with 421 in the API's shape, except for health", async () => {
    const refused = ask("/sign-in", "evil.test");
    expect([refused?.status, refused?.headers.get("x-request-id")]).toEqual([421, "an id"]);
    expect(await refused?.json()).toEqual({
      ...{
        code: 0,
        name: "GeneralError",
        message: "This server answers for https://portal.test alone.",
      },
    });
    expect(ask("/sign-in", "portal.test")).toBeUndefined();
    expect(ask("/health/ready", "10.0.0.1")).toBeUndefined();
  });

  test("is served behind the production front, which builds nothing from it (HD-04)", () => {
    announceFront();
    expect(ask("/sign-in", "evil.test")).toBeUndefined();
  });
});

describe("the caller's address where Next serves by itself", () => {
  const by = { trustedPlatformHeader: "x-platform-for" };
  const address = (
    sent: Record<string, string>,
    settings: Parameters<typeof peerAddress>[1] = by,
  ) => peerAddress(new Headers(sent), settings);

  test.each([
    ["203.0.113.7", "203.0.113.7"],
    [" 203.0.113.7 , 10.0.0.1", "203.0.113.7"],
    ["203.0.113.7:4711", "203.0.113.7"],
    ["[2001:db8::7]:4711", "2001:db8::7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["unknown", null],
    ["", null],
    ["203.0.113.700", null],
    ["203.0.113.7;drop", null],
    [", 203.0.113.7", null],
  ])("is read from the platform's header: %j is %j", (sent, read) => {
    expect(address({ "x-platform-for": sent })).toBe(read);
  });

  test("is unknown without the setting, whatever a caller sends", () => {
    const sent = {
      "x-platform-for": "203.0.113.7",
      "x-forwarded-for": "203.0.113.7",
      "x-adjutant-peer": "203.0.113.7",
    };
    expect(address(sent, { trustedPlatformHeader: undefined })).toBeNull();
  });

  test("is the front's word alone where there is a front", () => {
    announceFront();
    const sent = { "x-platform-for": "203.0.113.66", "x-adjutant-peer": "192.0.2.1" };
    expect(address(sent)).toBe("192.0.2.1");
    expect(address({ "x-platform-for": "203.0.113.66" })).toBeNull();
  });
});
