import { expect, test } from "vitest";
import { createStatusMachine } from "./condition";
import { createPlayers } from "./players";

const epoch = new Date("2026-01-01T00:00:00.000Z");
const count = 2_000;
const players = createPlayers({ seed: 5, epoch, count });
const condition = createStatusMachine(5);
const everybody = Array.from({ length: count }, (_, index) => players.at(index));
const later = (minutes: number) => new Date(epoch.getTime() + minutes * 60_000);

test("a last action is never in the future and never moves back", () => {
  const moments = Array.from({ length: 340 }, (_, step) => later(17 * step));
  for (const player of everybody.slice(0, 200)) {
    const seen = moments.map((moment) => condition.lastAction(player, moment).getTime());
    expect(seen).toEqual([...seen].sort((one, other) => one - other));
    expect(seen.filter((last, step) => last > (moments[step]?.getTime() ?? 0))).toEqual([]);
  }
});

test("most are about within two days, and about a fifth is silent for more than 30 days", () => {
  const idleDays = everybody.map(
    (player) => (epoch.getTime() - condition.lastAction(player, epoch).getTime()) / 86.4e6,
  );
  expect(idleDays.filter((days) => days > 30).length / count).toBeGreaterThan(0.15);
  expect(idleDays.filter((days) => days > 30).length / count).toBeLessThan(0.25);
  expect(idleDays.filter((days) => days > 2 && days < 20).length).toBe(0);
});

test("within a day every state occurs, and a player who is locked up knows until when", () => {
  const hours = Array.from({ length: 24 }, (_, hour) => later(60 * hour));
  const seen = everybody.flatMap((player) =>
    hours.map((hour) => ({ hour, ...condition.status(player, hour) })),
  );
  const wrong = seen.filter(({ state, until, hour }) => {
    if (state === "Hospital" || state === "Jail") return until === null || until <= hour;
    return until !== null;
  });
  expect(wrong).toEqual([]);
  expect([...new Set(seen.map(({ state }) => state))].sort()).toEqual([
    "Abroad",
    "Fallen",
    "Federal",
    "Hospital",
    "Jail",
    "Okay",
    "Traveling",
  ]);
});

test("a trip goes out, stays and comes back to where it began", () => {
  for (const player of everybody.slice(0, 400)) {
    const states: string[] = [];
    for (let minutes = 0; minutes < 3 * 1_440; minutes += 5) {
      const { state, description } = condition.status(player, later(minutes));
      const step =
        state === "Traveling" ? (description.startsWith("Returning") ? "back" : "out") : state;
      if (states.at(-1) !== step) states.push(step);
    }
    for (const [index, state] of states.entries()) {
      if (state === "Abroad" && index > 0) expect(states[index - 1]).toBe("out");
      if (state === "back" && index > 0) expect(states[index - 1]).toBe("Abroad");
    }
  }
});

test("ids and chat ids lead back to their player, and nobody shares one", () => {
  expect(new Set(everybody.map(({ id }) => id)).size).toBe(count);
  for (const player of everybody) {
    expect(players.indexOf(player.id)).toBe(player.index);
    if (player.chatId !== null) expect(players.indexOfChat(player.chatId)).toBe(player.index);
  }
});
