import { expect, test } from "vitest";
import { createGameClient, type GameClient } from "#server/game/client";
import { isGameCallError } from "#server/game/game-call-error";
import { gameEpoch, gameOverFetch } from "#server/testing/game-over-fetch";
import type { Fault } from "./faults";

function open() {
  const game = gameOverFetch();
  const { fetch, baseUrl } = game.simulator;
  const kind = (call: (client: GameClient) => Promise<unknown>, timeoutMs = 5_000) =>
    call(createGameClient({ baseUrl, fetch, now: game.now, timeoutMs })).then(
      () => null,
      (error: unknown) => (isGameCallError(error) ? error.kind : String(error)),
    );
  const info = (client: GameClient) => client.keyInfo(game.keys.member);
  return { ...game, kind, info };
}

test.each<[string, Fault]>([
  ["server-side", { code: 17 }],
  ["daily-limit", { code: 14 }],
  ["server-side", { http: 502 }],
  ["front-refusal", { http: 403 }],
  ["front-refusal", { cloudflare: true }],
  ["network", { drop: true }],
  ["timeout", { delayMs: 60_000 }],
  ["unexpected-answer", { malformed: true }],
  ["unexpected-answer", { truncate: true }],
  ["unexpected-answer", { huge: true }],
  ["unexpected-answer", { empty: true }],
  ["unexpected-answer", { encoding: true }],
  ["unexpected-answer", { wrongTypes: true }],
  ["unexpected-answer", { redirect: "https://elsewhere.invalid/" }],
])(
  "the client meets a failure of kind %s once, and then the game as usual: %j",
  async (expected, fault) => {
    const { kind, control, keys } = open();
    control.addFault(fault);
    expect(await kind((client) => client.player(keys.member), fault.delayMs ? 20 : undefined)).toBe(
      expected,
    );
    expect(await kind((client) => client.player(keys.member))).toBeNull();
  },
);

test("a fault hits only the path, the key and the player that it names", async () => {
  const { kind, control, keys } = open();
  control.addFault({ path: "faction/7001", code: 17, times: 9 });
  control.addFault({ path: "torn", player: 1002, code: 9, times: 9 });
  control.addFault({ path: "key/info", key: keys.outsider, code: 24, times: 9 });
  expect(await kind((client) => client.factionBasic(keys.member, 7001))).toBe("server-side");
  expect(await kind((client) => client.factionBasic(keys.member, 7002))).toBeNull();
  expect(await kind((client) => client.organizedCrimeTypes(keys.banker))).toBe("server-side");
  expect(await kind((client) => client.organizedCrimeTypes(keys.member))).toBeNull();
  expect(await kind((client) => client.keyInfo(keys.outsider))).toBe("server-side");
  expect(await kind((client) => client.keyInfo(keys.member))).toBeNull();
});

test("a fault of one selection hits a call of several", async () => {
  const { get, control } = open();
  control.addFault({ path: "faction/crimes", code: 17 });
  expect((await get("faction?selections=members,basic")).error).toBeUndefined();
  expect((await get("faction?selections=crimes,members,basic")).error.code).toBe(17);
});

test("a fault lasts as often as it says, or until it is cleared", async () => {
  const { kind, info, control } = open();
  control.addFault({ code: 17, times: 2 });
  expect([await kind(info), await kind(info), await kind(info)]).toEqual([
    "server-side",
    "server-side",
    null,
  ]);
  control.addFault({ code: 17, times: 1_000 });
  expect(await kind(info)).toBe("server-side");
  control.clearFaults();
  expect(await kind(info)).toBeNull();
});

test("a fault with an end hits every call up to it, and none from it on", async () => {
  const { get, control } = open();
  control.addFault({ code: 17, until: new Date(gameEpoch.getTime() + 60_000) });
  for (let second = 0; second < 60; second += 10) {
    expect((await get("key/info")).error.code).toBe(17);
    control.advance({ seconds: 10 });
  }
  expect((await get("key/info")).error).toBeUndefined();
  expect(control.state().faults).toBe(0);
});

test("a probability is kept over many calls, and is the same each time the game is played", async () => {
  const play = async () => {
    const { get, control } = open();
    control.addFault({ code: 17, probability: 0.3, times: 1_000 });
    const hits: boolean[] = [];
    for (let call = 0; call < 300; call++) {
      if (call % 50 === 0) control.advance({ seconds: 60 });
      hits.push("error" in (await get("key/info")));
    }
    return hits;
  };
  const hits = await play();
  const share = hits.filter(Boolean).length / hits.length;
  expect(share).toBeGreaterThan(0.2);
  expect(share).toBeLessThan(0.4);
  expect(await play()).toEqual(hits);
});

test("a stale memory answers as it did long ago, and forgets in time", async () => {
  const { get, control } = open();
  const before = await get("torn/stocks");
  control.addFault({ stale: true, until: new Date(gameEpoch.getTime() + 600_000) });
  control.advance({ seconds: 500 });
  expect(await get("torn/stocks")).toEqual(before);
  control.advance({ seconds: 100 });
  expect(await get("torn/stocks")).not.toEqual(before);
});
