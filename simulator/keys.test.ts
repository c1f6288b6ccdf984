import { expect, test } from "vitest";
import { demoPeople } from "./demo-people";
import { createKeys, type Key } from "./keys";
import { createSimulator } from "./simulator";
import { createWorld } from "./world";

const epoch = new Date("2026-01-01T12:00:00.000Z");
const after = (days: number) => new Date(epoch.getTime() + days * 86_400_000);

const world = createWorld({ seed: 4, epoch, players: 12_000, factions: 150 });
const keys = createKeys({ seed: 4, world });
const drawn: Key[] = keys.all().slice(demoPeople.length);
const share = (holds: (key: Key) => boolean) => drawn.filter(holds).length / drawn.length;

test("a twentieth of all players hold a key: 70 % limited, 15 % full, 10 % minimal, 5 % public", () => {
  expect(drawn.length / 12_000).toBeGreaterThan(0.04);
  expect(drawn.length / 12_000).toBeLessThan(0.06);
  const near = [0, 0.05, 0.1, 0.7, 0.15].map((wanted, level) =>
    Math.abs(share((key) => key.level === level) - wanted),
  );
  expect(near.filter((off) => off > 0.05)).toEqual([]);
});

test("the game refuses keys of silent owners with 13, of banned ones with 10, paused ones with 18 and deleted ones with 2", async () => {
  const simulator = createSimulator({ seed: 1, epoch, world: "small" });
  const { control } = simulator;
  const codeOf = async (key: string) => {
    const answer = await simulator.fetch(new Request(`${simulator.baseUrl}/key/info?key=${key}`));
    return (await answer.json()).error?.code;
  };
  const { key } = control.createKey({ playerId: 1005 });
  control.setPlayer({ playerId: 1005, lastAction: after(-8) });
  expect(await codeOf(key)).toBe(13);
  control.setPlayer({ playerId: 1005, lastAction: null, status: { state: "Federal" } });
  expect(await codeOf(key)).toBe(10);
  control.setPlayer({ playerId: 1005, status: null });
  control.pauseKey({ key });
  expect(await codeOf(key)).toBe(18);
  control.deleteKey({ key });
  expect(await codeOf(key)).toBe(2);
});

test("the owner sees what a key was used for, newest first, with the first ten characters of the comment", async () => {
  const simulator = createSimulator({ seed: 1, epoch, world: "small" });
  const ask = async (path: string) => {
    const headers = { authorization: `ApiKey ${simulator.demoKeys.member}` };
    return (
      await simulator.fetch(new Request(`${simulator.baseUrl}/${path}`, { headers }), {
        address: "192.0.2.7",
      })
    ).json();
  };
  await ask("user/1002/profile?comment=adjutant-and-more");
  await ask("user?selections=discord,faction");
  const { log } = await ask("key/log");
  expect(log.slice(1)).toEqual([
    {
      timestamp: epoch.getTime() / 1000,
      type: "user",
      selections: "discord,faction",
      id: null,
      comment: null,
      ip: "192.0.2.7",
    },
    {
      timestamp: epoch.getTime() / 1000,
      type: "user",
      selections: "profile",
      id: 1002,
      comment: "adjutant-a",
      ip: "192.0.2.7",
    },
  ]);
});
