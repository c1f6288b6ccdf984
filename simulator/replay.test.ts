import { expect, test } from "vitest";
import { createSimulator } from "./simulator";

const epoch = new Date("2026-01-01T12:00:00.000Z");

const paths = [
  "key/info",
  "faction/members",
  "faction/7002/members",
  "faction/crimes?limit=30",
  "faction/balance",
  "faction/news?cat=giveFunds",
  "faction/attacks?limit=30",
  "user?selections=battlestats,personalstats&cat=popular",
  "torn?selections=stocks,organizedcrimes",
];

/** Control verbs and calls over two days; returns all answers as text. */
async function play(seed: number): Promise<string> {
  const simulator = createSimulator({ seed, epoch, world: "small" });
  const { control, demoKeys } = simulator;
  const answers: string[] = [];
  const ask = async (path: string, key: string) => {
    const request = new Request(`${simulator.baseUrl}/${path}`, {
      headers: { authorization: `ApiKey ${key}` },
    });
    answers.push(await (await simulator.fetch(request)).text());
  };
  for (let step = 0; step < 8; step++) {
    const { key } = control.createKey({ playerId: 1002, level: 4 });
    answers.push(key);
    for (const path of paths) await ask(path, key);
    await ask("user?selections=profile,discord,faction&id=1004", demoKeys.member);
    if (step === 3) control.setPlayer({ playerId: 1003, factionId: 7002 });
    if (step === 4)
      answers.push(
        `${control.addCrime({ factionId: 7001, memberIds: [1001, 1002], readyIn: 60 }).crimeId}`,
      );
    if (step === 4)
      answers.push(control.giveFunds({ factionId: 7001, by: 1002, to: 1001, points: 5 }).newsId);
    if (step === 5) control.addFault({ path: "faction", truncate: true });
    if (step === 5) answers.push(control.attack({ attackerId: 1004, defenderId: 1001 }).code);
    if (step === 6) control.addFault({ code: 17, probability: 0.3, times: 3 });
    if (step === 6) control.shockStock({ stockId: 2, factor: 0.9 });
    control.advance({ seconds: 21_600 });
  }
  return answers.join("\n");
}

test("the same seed, control calls and times give the same bytes", async () => {
  const [first, second] = [await play(1), await play(1)];
  // Compared as a whole, because a full diff would fill the screen.
  expect(second === first).toBe(true);
  expect(first.length).toBeGreaterThan(500_000);
});

test("another seed is another world with the same demo people", async () => {
  const [first, second] = [await play(1), await play(2)];
  expect(second === first).toBe(false);
  for (const name of ["Bruno_Vault", "Copper Tide", "Quiet Coronation"])
    expect([name, first.includes(name), second.includes(name)]).toEqual([name, true, true]);
});

test("time moves the world: a faction's members look different a day later", async () => {
  const simulator = createSimulator({ seed: 1, epoch, world: "small" });
  const members = async () => {
    const headers = { authorization: `ApiKey ${simulator.demoKeys.member}` };
    return (
      await simulator.fetch(new Request(`${simulator.baseUrl}/faction/members`, { headers }))
    ).text();
  };
  const before = await members();
  simulator.control.advance({ seconds: 86_400 });
  expect(await members()).not.toBe(before);
});
