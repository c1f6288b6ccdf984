import { expect, test } from "vitest";
import { z } from "zod";
import { gameEpoch as epoch, gameOverFetch } from "#server/testing/game-over-fetch";
import { attack } from "#server/testing/game-shapes/fights";

const refused = (code: number) => ({ error: { code, error: expect.any(String) } });

const seconds = z.int().min(1_700_000_000).max(2_000_000_000);
const fighter = attack.shape.defender.extend({ name: z.string().min(1).max(15) });
const printed = z
  .number()
  .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6);
/** The simulated game keeps to narrower bounds than the documented ones. */
const AttackRow = attack.extend({
  started: seconds,
  ended: seconds,
  attacker: fighter.nullable(),
  defender: fighter,
  respect_gain: printed.min(0),
  respect_loss: printed.min(0),
  modifiers: z.strictObject({
    fair_fight: printed.min(1).max(3),
    war: z.union([z.literal(1), z.literal(2)]),
    retaliation: z.union([z.literal(1), z.literal(1.5)]),
    group: printed.min(1),
    overseas: z.union([z.literal(1), z.literal(1.25)]),
    chain: printed.min(1).max(3),
    warlord: printed.min(1),
  }),
});
const Links = z.strictObject({
  links: z.strictObject({ next: z.url().nullable(), prev: z.url().nullable() }),
});
const Answer = z.strictObject({ attacks: z.array(AttackRow), _metadata: Links });
test("every row of a faction's and of a player's attacks has the game's shape", async () => {
  const { get, keys } = gameOverFetch();
  for (const [path, key] of [
    ["faction/attacks", keys.developer],
    ["faction/attacks", keys.banker],
    ["user/attacks", keys.member],
  ] as const) {
    const { attacks } = Answer.parse(await get(path, key));
    expect(attacks.length).toBeGreaterThan(20);
    expect(attacks.map(({ ended }) => ended)).toEqual(
      attacks.map(({ ended }) => ended).sort((one, other) => other - one),
    );
  }
});

test("pages lead through all attacks, without a gap", async () => {
  const { get, simulator } = gameOverFetch();
  const from = epoch.getTime() / 1000 - 86_400;
  const readBy = async (limit: number) => {
    const seen = new Set<string>();
    let path: string | null = `faction/attacks?limit=${limit}&from=${from}`;
    for (let page = 0; path !== null && page < 40; page++) {
      const { attacks, _metadata } = Answer.parse(await get(path));
      expect(attacks.length).toBeLessThanOrEqual(limit);
      for (const { code } of attacks) seen.add(code);
      path = _metadata.links.next?.replace(`${simulator.baseUrl}/`, "") ?? null;
    }
    expect(path).toBeNull();
    return [...seen];
  };
  expect(await readBy(17)).toEqual(await readBy(100));
});

test("from, to and sort are obeyed; the second of from is left out", async () => {
  const { get } = gameOverFetch();
  const { attacks } = Answer.parse(await get("faction/attacks?limit=50"));
  const [to = 0, from = 0] = [attacks[5]?.ended, attacks[30]?.ended];
  const part = Answer.parse(await get(`faction/attacks?from=${from}&to=${to}&sort=ASC`));
  expect(part.attacks.map(({ code }) => code)).toEqual(
    attacks
      .filter(({ ended }) => ended > from && ended <= to)
      .map(({ code }) => code)
      .reverse(),
  );
});

test("what the client reads of them is what the game says", async () => {
  const { client, control, keys } = gameOverFetch();
  const { code } = control.attack({ attackerId: 1004, defenderId: 1003, result: "Hospitalized" });
  const [attack] = await client.factionAttacks(keys.developer, {});
  expect(attack).toMatchObject({
    code,
    ended: epoch,
    attacker: { playerId: 1004 },
    defender: { playerId: 1003 },
  });
  expect(
    (await client.userAttacks(keys.member, { from: new Date(epoch.getTime() - 1_000) }))[0]?.code,
  ).toBe(code);
});

test.each([
  ["faction/attacks", "member", 7],
  ["faction/7002/attacks", "developer", 7],
  ["user/1002/attacks", "developer", 7],
  ["faction/attacks", "loner", 6],
] as const)("%s is refused to the %s with code %d", async (path, role, code) => {
  const { get, keys } = gameOverFetch();
  expect(await get(path, keys[role])).toEqual(refused(code));
});

test("attacks want a limited key", async () => {
  const { get, control } = gameOverFetch();
  const { key } = control.createKey({ playerId: 1001, level: 2 });
  expect(await get("faction/attacks", key)).toEqual(refused(16));
  expect(await get("user/attacks", key)).toEqual(refused(16));
});
