import { expect, test } from "vitest";
import { createSimulator } from "./simulator";

const epoch = new Date("2026-01-01T12:00:00.000Z");

/** A script of control verbs and calls over two days; gives all that was answered, as text. */
async function play(seed: number): Promise<string> {
  const simulator = createSimulator({ seed, epoch, world: "small" });
  const { control, demoKeys } = simulator;
  const answers: string[] = [];
  const ask = async (path: string, key: string) => {
    const request = new Request(`${simulator.baseUrl}/${path}`, { headers: { authorization: `ApiKey ${key}` } });
    answers.push(await (await simulator.fetch(request)).text());
  };
  for (let step = 0; step < 8; step++) {
    const { key } = control.createKey({ playerId: 1002, level: 4 });
    answers.push(key);
    for (const path of ["key/info", "faction/members", "faction/7002/members", "torn/organizedcrimes"])
      await ask(path, key);
    await ask("user?selections=profile,discord,faction&id=1004", demoKeys.member);
    if (step === 3) control.setPlayer({ playerId: 1003, factionId: 7002 });
    if (step === 5) control.addFault({ path: "faction", truncate: true });
    control.advance({ seconds: 21_600 });
  }
  return answers.join("\n");
}

test("the same seed, control calls and times give the same bytes", async () => {
  const [first, second] = [await play(1), await play(1)];
  // Compared as a whole: a difference shown in full would fill the screen.
  expect(second === first).toBe(true);
  expect(first.length).toBeGreaterThan(50_000);
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
    return (await simulator.fetch(new Request(`${simulator.baseUrl}/faction/members`, { headers }))).text();
  };
  const before = await members();
  simulator.control.advance({ seconds: 86_400 });
  expect(await members()).not.toBe(before);
});
