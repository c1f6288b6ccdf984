import { expect, test } from "vitest";
import { demoPeople } from "./demo-people";
import { createKeys, type Key } from "./keys";
import { createSimulator } from "./simulator";
import { createWorld } from "./world";

const epoch = new Date("2026-01-01T12:00:00.000Z");

function open() {
  const simulator = createSimulator({ seed: 1, epoch, world: "small" });
  const { control, demoKeys: keys } = simulator;
  const send = (path: string, init?: RequestInit, peer?: { address: string }) =>
    simulator.fetch(new Request(`${simulator.baseUrl}/${path}`, init), peer);
  /** Error code, or null for an answer. */
  const code = async (
    path: string,
    key: string | null,
    peer?: { address: string },
  ): Promise<number | null> => {
    const headers: Record<string, string> = key === null ? {} : { authorization: `ApiKey ${key}` };
    const response = await send(path, { headers }, peer);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    return (await response.json()).error?.code ?? null;
  };
  const many = async (times: number, key: string) => {
    const codes: (number | null)[] = [];
    for (let call = 0; call < times; call++) codes.push(await code("key/info", key));
    return codes;
  };
  return { simulator, control, keys, send, code, many };
}

test("the hundredth call of a minute is answered and the next one refused", async () => {
  const { many, control, keys } = open();
  const codes = await many(101, keys.member);
  expect(codes.slice(0, 100)).toEqual(Array(100).fill(null));
  expect(codes[100]).toBe(5);
  control.advance({ seconds: 59.999 });
  expect(await many(1, keys.member)).toEqual([5]);
  control.advance({ seconds: 0.001 });
  expect(await many(1, keys.member)).toEqual([null]);
});

test("the minute rolls: a call is admitted exactly when the oldest one leaves the window", async () => {
  const { many, control, keys } = open();
  await many(60, keys.member);
  control.advance({ seconds: 30 });
  expect((await many(41, keys.member)).at(-1)).toBe(5);
  control.advance({ seconds: 30 });
  const codes = await many(61, keys.member);
  expect(codes.filter((code) => code === null)).toHaveLength(60);
});

test("all keys of a player share one budget, and other players have their own", async () => {
  const { many, control, keys } = open();
  const { key: second } = control.createKey({ playerId: 1003 });
  await many(60, keys.member);
  const codes = await many(41, second);
  expect(codes.indexOf(5)).toBe(40);
  expect(await many(1, keys.banker)).toEqual([null]);
});

test("an address has a thousand calls a minute over all keys, bad ones included", async () => {
  const { code } = open();
  const peer = { address: "192.0.2.1" };
  for (let call = 0; call < 1_000; call++)
    expect(await code("key/info", "WrongKeyWrongKey", peer)).toBe(2);
  expect(await code("key/info", "WrongKeyWrongKey", peer)).toBe(8);
  expect(await code("key/info", "WrongKeyWrongKey", { address: "192.0.2.2" })).toBe(2);
});

test("a key is read from the header or from the query", async () => {
  const { code, send, keys } = open();
  expect(await code("key/info", keys.member)).toBeNull();
  expect(await code(`key/info?key=${keys.member}`, null)).toBeNull();
  const bearer = await send("key/info", { headers: { authorization: `Bearer ${keys.member}` } });
  expect((await bearer.json()).error.code).toBe(1);
});

test("no key, a wrong key and a deleted key are told apart as the game does", async () => {
  const { code, control, keys } = open();
  expect(await code("key/info", null)).toBe(1);
  expect(await code("key/info", "WrongKeyWrongKey")).toBe(2);
  expect(await code("key/info", keys.member)).toBeNull();
  control.deleteKey({ key: keys.member });
  expect(await code("key/info", keys.member)).toBe(2);
});

test("a paused key is refused until its owner lets it go on", async () => {
  const { code, control, keys } = open();
  control.pauseKey({ key: keys.member });
  expect(await code("key/info", keys.member)).toBe(18);
  control.pauseKey({ key: keys.member, paused: false });
  expect(await code("key/info", keys.member)).toBeNull();
});

test("the keys of a banned or long absent owner do not work", async () => {
  const { code, control, keys, simulator } = open();
  control.setPlayer({ playerId: 1003, status: { state: "Federal" } });
  expect(await code("key/info", keys.member)).toBe(10);
  control.setPlayer({ playerId: 1003, status: null });
  expect(await code("key/info", keys.member)).toBeNull();
  const before = (days: number) => new Date(simulator.now().getTime() - days * 86_400_000);
  control.setPlayer({ playerId: 1003, lastAction: before(7.01) });
  expect(await code("key/info", keys.member)).toBe(13);
  control.setPlayer({ playerId: 1003, lastAction: before(6.99) });
  expect(await code("key/info", keys.member)).toBeNull();
});

test("a key reads up to its level, and a custom key what it lists", async () => {
  const { code, control } = open();
  const { key: open1 } = control.createKey({ playerId: 1002, level: 1 });
  expect(await code("faction/members", open1)).toBeNull();
  expect(await code("faction/positions", open1)).toBe(16);
  const { key: custom } = control.createKey({
    playerId: 1002,
    level: 0,
    selections: { user: ["profile"] },
  });
  expect(await code("user/1001/profile", custom)).toBeNull();
  expect(await code("user/1001/discord", custom)).toBe(16);
  expect(await code("key/info", custom)).toBeNull();
});

test("losing faction access refuses the very next call, also of what was just answered", async () => {
  const { code, control, keys } = open();
  expect(await code("faction/positions", keys.banker)).toBeNull();
  control.setPlayer({ playerId: 1002, position: "Member" });
  expect(await code("faction/positions", keys.banker)).toBe(7);
});

test("an answer stays the same for 29 seconds per key and address; a timestamp asks past that", async () => {
  const { control, keys, send } = open();
  const level = async (path: string, key: string) => {
    const response = await send(path, { headers: { authorization: `ApiKey ${key}` } });
    return (await response.json()).profile.level;
  };
  const before = await level("user/1001/profile?comment=a", keys.member);
  control.setPlayer({ playerId: 1001, level: 100 });
  control.advance({ seconds: 28.999 });
  expect(await level("user/1001/profile?comment=b", keys.member)).toBe(before);
  expect(await level("user/1001/profile", keys.banker)).toBe(100);
  control.advance({ seconds: 0.001 });
  expect(await level("user/1001/profile", keys.member)).toBe(100);
  control.setPlayer({ playerId: 1001, level: 99 });
  expect(await level("user/1001/profile", keys.member)).toBe(100);
  expect(await level("user/1001/profile?timestamp=1", keys.member)).toBe(99);
  expect(await level("user/1001/profile", keys.member)).toBe(99);
});

test("only GET is served", async () => {
  expect((await open().send("key/info", { method: "POST" })).status).toBe(405);
});

test("a twentieth of all players hold a key: 70 % limited, 15 % full, 10 % minimal, 5 % public", () => {
  const world = createWorld({ seed: 4, epoch, players: 12_000, factions: 150 });
  const drawn = createKeys({ seed: 4, world }).all().slice(demoPeople.length);
  const share = (holds: (key: Key) => boolean) => drawn.filter(holds).length / drawn.length;
  expect(drawn.length / 12_000).toBeGreaterThan(0.04);
  expect(drawn.length / 12_000).toBeLessThan(0.06);
  const near = [0, 0.05, 0.1, 0.7, 0.15].map((wanted, level) =>
    Math.abs(share((key) => key.level === level) - wanted),
  );
  expect(near.filter((off) => off > 0.05)).toEqual([]);
});
