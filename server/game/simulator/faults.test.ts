import { expect, test } from "vitest";
import { createGameClient } from "../client";
import { isGameError } from "../game-error";
import type { Fault } from "./faults";
import { createSimulator } from "./simulator";

const epoch = new Date("2026-01-01T12:00:00.000Z");

function open() {
  const simulator = createSimulator({ seed: 1, epoch, world: "small" });
  const { fetch, now, baseUrl } = simulator;
  const client = createGameClient({ baseUrl, fetch, now });
  const hasty = createGameClient({ baseUrl, fetch, now, timeoutMs: 20 });
  /** The kind of the failure, or null for an answer. */
  const kind = (call: Promise<unknown>) =>
    call.then(
      () => null,
      (error: unknown) => (isGameError(error) ? error.kind : String(error)),
    );
  return { client, hasty, kind, control: simulator.control, keys: simulator.demoKeys };
}

test.each<[string, Fault]>([
  ["server-side", { code: 17 }],
  ["daily-limit", { code: 14 }],
  ["server-side", { http: 502 }],
  ["ip-block", { http: 403 }],
  ["network", { drop: true }],
  ["timeout", { delayMs: 60_000 }],
  ["unexpected-answer", { malformed: true }],
  ["unexpected-answer", { truncate: true }],
  ["unexpected-answer", { redirect: "https://elsewhere.invalid/" }],
])("the client meets a failure of kind %s once, and then the game as usual", async (expected, fault) => {
  const { client, hasty, kind, control, keys } = open();
  control.addFault(fault);
  expect(await kind((fault.delayMs ? hasty : client).profile(keys.member))).toBe(expected);
  expect(await kind(client.profile(keys.member))).toBeNull();
});

test("a fault hits only the path, the key and the player that it names", async () => {
  const { client, kind, control, keys } = open();
  control.addFault({ path: "faction/7001", code: 17, times: 9 });
  control.addFault({ path: "torn", player: 1002, code: 9, times: 9 });
  control.addFault({ path: "key/info", key: keys.outsider, code: 24, times: 9 });
  expect(await kind(client.factionBasic(keys.member, 7001))).toBe("server-side");
  expect(await kind(client.factionBasic(keys.member, 7002))).toBeNull();
  expect(await kind(client.organizedCrimeTypes(keys.banker))).toBe("server-side");
  expect(await kind(client.organizedCrimeTypes(keys.member))).toBeNull();
  expect(await kind(client.keyInfo(keys.outsider))).toBe("server-side");
  expect(await kind(client.keyInfo(keys.member))).toBeNull();
});

test("a fault lasts as often as it says, or until it is cleared", async () => {
  const { client, kind, control, keys } = open();
  control.addFault({ code: 17, times: 2 });
  const kinds = [1, 2, 3].map(() => kind(client.keyInfo(keys.member)));
  expect(await Promise.all(kinds)).toEqual(["server-side", "server-side", null]);
  control.addFault({ code: 17, times: 1_000 });
  expect(await kind(client.keyInfo(keys.member))).toBe("server-side");
  control.clearFaults();
  expect(await kind(client.keyInfo(keys.member))).toBeNull();
});
