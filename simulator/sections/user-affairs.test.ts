import { expect, test } from "vitest";
import { smallGame } from "#server/testing/small-game";

/** Calls as the member unless said otherwise. */
function open() {
  const { control, get, keys } = smallGame();
  return { control, get: (path: string, key: string = keys.member) => get(path, key), keys };
}

const refused = (code: number) => ({ error: { code, error: expect.any(String) } });
const amount = expect.any(Number);

test("money shows what the owner has, and their part of the faction's vault", async () => {
  const { get, control, keys } = open();
  const { money, points } = control.oracle({ playerId: 1003 });
  expect(await get("user/money")).toEqual({
    money: {
      points: amount,
      wallet: amount,
      company: 0,
      vault: amount,
      cayman_bank: amount,
      city_bank: null,
      faction: { money, points },
      daily_networth: amount,
    },
  });
  expect((await get("user/money", keys.loner)).money.faction).toBeNull();
  expect(await get("user/1004/money")).toEqual(refused(7));
});

test("who travels sees where to and until when, and who stays is at home", async () => {
  const { get, control } = open();
  control.setPlayer({ playerId: 1003, status: { state: "Okay" } });
  const home = {
    destination: "Tallow City",
    method: "Standard",
    departed_at: null,
    arrival_at: null,
    time_left: 0,
  };
  expect(await get("user/travel")).toEqual({ travel: home });
  control.setPlayer({ playerId: 1003, status: { state: "Abroad", place: "Dunmere" } });
  control.clearCache();
  expect((await get("user/travel")).travel).toEqual({ ...home, destination: "Dunmere" });
});

test("a drawn journey leaves before it arrives, and the time left runs out", async () => {
  const { get, control } = open();
  const seen = new Map<
    number,
    { destination: string; departed_at: number; arrival_at: number; time_left: number }
  >();
  control.setPlayer({ playerId: 1003, status: null });
  for (let step = 0; step < 400; step++) {
    control.advance({ seconds: 900 });
    const { travel } = await get("user/travel");
    if (travel.arrival_at !== null) seen.set(travel.arrival_at, travel);
  }
  expect(seen.size).toBeGreaterThan(1);
  for (const { departed_at, arrival_at, time_left } of seen.values()) {
    expect(arrival_at - departed_at).toBeGreaterThanOrEqual(20 * 60);
    expect(time_left).toBeGreaterThan(0);
    expect(time_left).toBeLessThanOrEqual(arrival_at - departed_at);
  }
});
