import { expect, test } from "vitest";
import { gameEpoch as epoch } from "#server/testing/game-over-fetch";
import { createGameAreas } from "./areas";
import type { Crime } from "./crimes";
import { createSimulator } from "./simulator";

const seconds = Math.floor(epoch.getTime() / 1000);
const later = (minutes: number) => new Date(epoch.getTime() + minutes * 60_000);

const { world, crimes } = createGameAreas({ seed: 1, epoch, players: 600, factions: 12 });
const factions = Array.from({ length: 12 }, (_, index) => world.factionAt(index));
const allAt = (now: Date) => factions.flatMap((faction) => [...crimes.list(faction, now)]);

const statesAt = (crime: Crime, at: number) =>
  crime.slots.map(({ index }) =>
    index === null ? "nobody" : world.status(world.playerAt(index), new Date(at * 1000)).state,
  );

test("every executed crime had all its participants in town at that moment, and none had a minute before", () => {
  const executed = allAt(epoch).filter(({ executedAt }) => executedAt !== null);
  expect(executed.length).toBeGreaterThan(500);
  for (const crime of executed) {
    const at = crime.executedAt ?? 0;
    expect(crime.slots.map(({ index }) => index)).not.toContain(null);
    expect(new Set(statesAt(crime, at))).toEqual(new Set(["Okay"]));
    expect(at).toBeGreaterThanOrEqual(crime.readyAt ?? Number.POSITIVE_INFINITY);
    for (let minute = crime.startsAt; minute < at; minute += 60)
      expect(statesAt(crime, minute).some((state) => state !== "Okay")).toBe(true);
  }
});

test("a crime that is ready and not executed waits for somebody", () => {
  let waiting = 0;
  for (let minutes = 0; minutes < 10_000; minutes += 23) {
    const now = seconds + minutes * 60;
    for (const crime of factions.flatMap((faction) => crimes.current(faction, later(minutes)))) {
      if (crime.status !== "Planning" || crime.readyAt === null || crime.readyAt > now) continue;
      waiting += 1;
      const looked = now - ((now - crime.readyAt) % 60);
      expect(statesAt(crime, looked).some((state) => state !== "Okay")).toBe(true);
    }
  }
  expect(waiting).toBeGreaterThan(15);
});

test("between 15 and 25 of a hundred crimes are delayed, mostly by a journey", () => {
  const executed = allAt(epoch).filter(({ executedAt }) => executedAt !== null);
  const delayed = executed.filter(({ executedAt, startsAt }) => (executedAt ?? 0) > startsAt);
  expect(delayed.length / executed.length).toBeGreaterThan(0.15);
  expect(delayed.length / executed.length).toBeLessThan(0.25);
  const reasons = delayed
    .flatMap((crime) => statesAt(crime, crime.startsAt))
    .filter((state) => state !== "Okay");
  const travels = reasons.filter((state) => state === "Traveling" || state === "Abroad");
  expect(travels.length / reasons.length).toBeGreaterThan(0.5);
});

test("every status occurs, and ids are positive, different and grow with time within a faction", () => {
  const all = allAt(epoch);
  expect(new Set(all.map(({ status }) => status)).size).toBe(5);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  for (const faction of factions) {
    const mine = crimes.list(faction, epoch).sort((one, other) => one.id - other.id);
    const times = mine.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect(Math.min(...mine.map(({ id }) => id))).toBeGreaterThan(0);
  }
});

test("a crime goes its way: recruiting, planning, an end that stays", () => {
  const order = ["Recruiting", "Planning", "Successful"];
  const [faction] = factions;
  if (!faction) throw new Error("There is a faction.");
  const seen = new Map<number, string[]>();
  for (let minutes = 0; minutes < 8 * 1_440; minutes += 30)
    for (const { id, status, slots } of crimes.list(faction, later(minutes))) {
      const steps = seen.get(id) ?? [];
      if (steps.at(-1) !== status) seen.set(id, [...steps, status]);
      if (status === "Planning") expect(slots.map(({ index }) => index)).not.toContain(null);
    }
  const whole = [...seen.values()].filter(
    (steps) => steps[0] === "Recruiting" && steps.at(-1) === "Successful",
  );
  expect(whole.length).toBeGreaterThan(3);
  for (const steps of whole) expect(steps).toEqual(order);
  for (const steps of seen.values()) expect(steps.length).toBeLessThanOrEqual(3);
});

test("nobody sits in two crimes at once", () => {
  for (let minutes = 0; minutes < 8 * 1_440; minutes += 97)
    for (const faction of factions) {
      const taken = crimes
        .current(faction, later(minutes))
        .flatMap(({ slots }) => slots.flatMap(({ index }) => index ?? []));
      expect(new Set(taken).size).toBe(taken.length);
    }
});

test("a faction has more crimes at once the more members it has", () => {
  const counts = factions.map((faction) => ({
    members: world.firstMembers(faction.index).length,
    open: crimes.current(faction, epoch).length,
  }));
  const large = counts.filter(({ members }) => members > 40);
  expect(Math.max(...large.map(({ open }) => open))).toBeGreaterThan(3);
  expect(Math.max(...counts.map(({ open }) => open))).toBeLessThanOrEqual(24);
});

test("a crime that is added in the middle of a second waits for a member who was hit just before", () => {
  const now = new Date("2026-01-01T12:00:08.929Z");
  const { control } = createSimulator({ seed: 1, epoch: now, now: () => now, world: "small" });
  const memberIds = [1001, 1002, 1003];
  const until = new Date(now.getTime() + 3_000_000);
  control.setPlayer({ playerId: 1001, status: { state: "Hospital", until } });
  control.addCrime({ factionId: 7001, memberIds, readyIn: -60 });
  expect(control.waitingCrew({ factionId: 7001 })).toEqual(memberIds);
});
