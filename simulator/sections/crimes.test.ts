import { expect, test } from "vitest";
import { gameEpoch, gameOverFetch } from "#server/testing/game-over-fetch";

const seconds = Math.floor(gameEpoch.getTime() / 1000);
const status = (answer: { crimes: { status: string }[] }) =>
  new Set(answer.crimes.map((crime) => crime.status));
const code = (number: number) => ({ error: { code: number, error: expect.any(String) } });

test("a category lists its crimes alone, and one that the game does not know is refused", async () => {
  const { get } = gameOverFetch();
  for (const [category, statuses] of Object.entries({
    recruiting: ["Recruiting"],
    successful: ["Successful"],
    available: ["Recruiting", "Planning"],
    completed: ["Successful", "Failure"],
    expired: ["Expired"],
  }))
    for (const found of status(await get(`faction/crimes?cat=${category}`)))
      expect(statuses).toContain(found);
  expect((await get("faction/crimes")).crimes).toHaveLength(20);
  expect((await get("faction/crimes?limit=100")).crimes.length).toBeGreaterThan(20);
  expect(await get("faction/crimes?cat=shoes")).toEqual(code(21));
});

test("crimes are read page by page, each once, in the order of their ids", async () => {
  const { get } = gameOverFetch();
  const ids: number[] = [];
  let next: string | null = "faction/crimes?limit=7";
  while (next) {
    const page: {
      crimes: { id: number }[];
      _metadata: { links: { next: string | null; prev: string | null } };
    } = await get(next);
    expect(page.crimes.length).toBeLessThanOrEqual(7);
    ids.push(...page.crimes.map(({ id }) => id));
    next = page._metadata.links.next;
    expect(page._metadata.links.prev === null).toBe(ids.length <= 7);
  }
  expect(ids).toEqual([...new Set(ids)].sort((one, other) => other - one));
  const whole = await get("faction/crimes?limit=100");
  expect(ids.slice(0, 100)).toEqual(whole.crimes.map(({ id }: { id: number }) => id));
});

test("from and to bound the time of the category; the second of from is left out", async () => {
  const { get } = gameOverFetch();
  const { crimes } = await get("faction/crimes?cat=successful");
  const { executed_at: at, id } = crimes[2];
  const query = "cat=completed";
  const found = await get(`faction/crimes?${query}&from=${at - 1}&to=${at}`);
  expect(found.crimes.map((crime: { id: number }) => crime.id)).toEqual([id]);
  expect((await get(`faction/crimes?${query}&from=${at}&to=${at}`)).crimes).toEqual([]);
  const oldest = await get("faction/crimes?sort=ASC&limit=1");
  expect(oldest.crimes[0].id).toBeLessThan(crimes[0].id);
});

test("each category is sorted by a time of its own, the latest first", async () => {
  const { get } = gameOverFetch();
  for (const [category, time] of Object.entries({
    all: "created_at",
    available: "created_at",
    planning: "ready_at",
    completed: "executed_at",
    expired: "expired_at",
  })) {
    const { crimes } = await get(`faction/crimes?cat=${category}&limit=100`);
    const times = crimes.map((crime: Record<string, number>) => crime[time]);
    expect(times).toEqual([...times].sort((one, other) => other - one));
  }
});

test("every slot of an expired crime shows a rate of 0", async () => {
  const { get } = gameOverFetch();
  const { crimes } = await get("faction/crimes?cat=expired");
  const rates = crimes.flatMap(({ slots }: { slots: { checkpoint_pass_rate: number }[] }) =>
    slots.map((slot) => slot.checkpoint_pass_rate),
  );
  expect(new Set(rates)).toEqual(new Set([0]));
});

test("a crime that a verb adds waits for members who are away, and executes within a minute of their return", async () => {
  const { get, control } = gameOverFetch();
  const until = new Date(gameEpoch.getTime() + 600_000);
  for (const playerId of [1001, 1003]) control.setPlayer({ playerId, status: { state: "Okay" } });
  control.setPlayer({ playerId: 1002, status: { state: "Hospital", until } });
  const { crimeId } = control.addCrime({
    factionId: 7001,
    memberIds: [1001, 1002, 1003],
    readyIn: -60,
  });
  const find = async () => {
    const { crimes, members } = await get("faction?selections=crimes,members,basic");
    const state = members.find((member: { id: number }) => member.id === 1002).status.state;
    return { ...crimes.find((crime: { id: number }) => crime.id === crimeId), state };
  };
  const waiting = await find();
  expect(waiting).toMatchObject({
    status: "Planning",
    ready_at: seconds - 60,
    executed_at: null,
    state: "Hospital",
  });
  expect(waiting.slots.map((slot: { user: { id: number } }) => slot.user.id)).toEqual([
    1001, 1002, 1003,
  ]);
  control.setPlayer({ playerId: 1002, status: { state: "Okay" } });
  control.advance({ seconds: 60 });
  const done = await find();
  expect(done.status).toMatch(/^(Successful|Failure)$/);
  expect(done.executed_at - seconds).toBeLessThanOrEqual(60);
});

test("a crime with free slots recruits, and shows the reader's own pass rate there", async () => {
  const { get, control, keys } = gameOverFetch();
  const { crimeId } = control.addCrime({
    factionId: 7001,
    name: "Ferry Fare",
    memberIds: [1003],
    readyIn: 3_600,
  });
  const of = async (key: string, path: string, list: string) =>
    (await get(path, key))[list].find((crime: { id: number }) => crime.id === crimeId);
  const crime = await of(keys.developer, "faction/crimes?cat=recruiting", "crimes");
  expect(crime.slots.map((slot: { user: unknown }) => slot.user !== null)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  const other = await of(keys.banker, "faction/crimes?cat=recruiting", "crimes");
  const rates = ({ slots }: { slots: { checkpoint_pass_rate: number }[] }) =>
    slots.map((slot) => slot.checkpoint_pass_rate);
  expect(rates(other)[0]).toBe(rates(crime)[0]);
  expect(rates(other).slice(1)).not.toEqual(rates(crime).slice(1));
});

test("who leaves the faction leaves the crime: it recruits again, and what was executed stays as it was", async () => {
  const { get, control } = gameOverFetch();
  const past = await get("faction/crimes?cat=completed");
  const { crimeId } = control.addCrime({
    factionId: 7001,
    memberIds: [1001, 1003, 1002],
    readyIn: 7_200,
  });
  control.setPlayer({ playerId: 1003, factionId: null });
  const { crimes } = await get("faction/crimes?cat=available&limit=100");
  const crime = crimes.find(({ id }: { id: number }) => id === crimeId);
  expect(crime).toMatchObject({ status: "Recruiting", planning_at: null });
  expect(crime.slots[1].user).toBeNull();
  control.clearCache();
  expect(await get("faction/crimes?cat=completed")).toEqual(past);
});

test("members who sit in a crime are shown so in the list of members", async () => {
  const { get } = gameOverFetch();
  const { crimes, members } = await get("faction?selections=crimes,members");
  const open = crimes.filter(({ status }: { status: string }) =>
    /Recruiting|Planning/.test(status),
  );
  const seated = open.flatMap(({ slots }: { slots: { user: { id: number } | null }[] }) =>
    slots.flatMap(({ user }) => (user ? [user.id] : [])),
  );
  const shown = members.filter((member: { is_in_oc: boolean }) => member.is_in_oc);
  expect(shown.map(({ id }: { id: number }) => id).sort()).toEqual(seated.sort());
});

test("a faction on the old crimes answers with code 27, or with a map instead of a list", async () => {
  const { get, control } = gameOverFetch();
  control.setOldCrimes({ factionId: 7001, old: true });
  expect(await get("faction/crimes")).toEqual(code(27));
  expect(await get("faction?selections=crimes,members,basic")).toEqual(code(27));
  control.setOldCrimes({ factionId: 7001, old: true, answer: "map" });
  expect(Array.isArray((await get("faction/crimes")).crimes)).toBe(false);
  control.setOldCrimes({ factionId: 7001, old: false });
  control.clearCache();
  expect(Array.isArray((await get("faction/crimes")).crimes)).toBe(true);
});

test("a crime needs members of the faction, and no more than it has slots", () => {
  const { control } = gameOverFetch();
  expect(() => control.addCrime({ factionId: 7001, memberIds: [1004], readyIn: 0 })).toThrow(
    "no member",
  );
  expect(() => control.addCrime({ factionId: 77, memberIds: [1001], readyIn: 0 })).toThrow(
    "does not exist",
  );
  expect(() =>
    control.addCrime({ factionId: 7001, name: "Shoes", memberIds: [1001], readyIn: 0 }),
  ).toThrow("kind");
});

test("crimes need faction access, and a key that is not for public data alone", async () => {
  const { get, control, keys } = gameOverFetch();
  const open = control.createKey({ playerId: 1002, level: 1 }).key;
  expect(await get("faction/crimes", keys.member)).toEqual(code(7));
  expect(await get("faction/crimes", open)).toEqual(code(16));
  expect(await get("faction/7001/crimes")).toEqual(code(7));
  expect(await get("faction/crimes", keys.loner)).toEqual(code(6));
});
