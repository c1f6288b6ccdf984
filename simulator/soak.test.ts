import { expect, test } from "vitest";
import { gameEpoch, gameOverFetch } from "#server/testing/game-over-fetch";
import { createSimulator } from "./simulator";

const minute = 60;
const day = 86_400;

/** The polls of a product with one faction key, with their interval in seconds. */
const polls: readonly (readonly [path: string, every: number])[] = [
  ["faction?selections=crimes,members,basic", 5 * minute],
  ["faction/attacks?limit=100", 2 * minute],
  ["faction/news?cat=giveFunds", 10 * minute],
  ["faction/balance", 30 * minute],
  ["torn/stocks", 5 * minute],
  ["user?selections=profile,discord,faction,battlestats", 60 * minute],
  ["user/personalstats?cat=popular", day],
];

/** Processor milliseconds of this process, so that the machine's load does not count. */
const computed = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/**
 * Polls for `seconds` of game time. Returns the number of calls and their processor milliseconds.
 */
async function poll(game: ReturnType<typeof gameOverFetch>, seconds: number) {
  let calls = 0;
  const began = computed();
  for (let second = 0; second < seconds; second += minute) {
    for (const [path, every] of polls)
      if (second % every === 0) {
        const answer = await game.text(`${path}&timestamp=${second}`.replace(/^([^?]*)&/, "$1?"));
        if (answer.startsWith('{"error"')) throw new Error(`${path}: ${answer}`);
        calls += 1;
      }
    game.control.advance({ seconds: minute });
  }
  return { calls, milliseconds: computed() - began };
}

test("a week of polling the small world takes less than a minute, measured on a sample of it", async () => {
  const game = gameOverFetch();
  const sample = await poll(game, 6 * 3_600);
  // Six hours at each end of the week: the cost must not grow with the game's age.
  game.control.advance({ seconds: 6 * day });
  const later = await poll(game, 6 * 3_600);
  const week = ((sample.milliseconds + later.milliseconds) * 7 * day) / (12 * 3_600);
  expect(sample.calls).toBeGreaterThan(250);
  expect(week).toBeLessThan(60_000);
});

test("the large world opens in less than three seconds and answers its first calls in less than two", async () => {
  const began = computed();
  const simulator = createSimulator({ seed: 1, epoch: gameEpoch });
  const opened = computed();
  expect(opened - began).toBeLessThan(3_000);
  for (const path of [
    "faction?selections=crimes,members,basic",
    "faction/attacks",
    "torn/stocks",
  ]) {
    const headers = { authorization: `ApiKey ${simulator.demoKeys.developer}` };
    await simulator.fetch(new Request(`${simulator.baseUrl}/${path}`, { headers }));
  }
  expect(computed() - opened).toBeLessThan(2_000);
});
