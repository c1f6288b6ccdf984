import { createGameClient } from "#server/game/client";
import { createSimulator, type SimulatorOptions } from "#simulator/simulator";

/** The end of the simulated past, and the clock's time. */
export const gameEpoch = new Date("2026-01-01T12:00:00.000Z");

/** A simulated game of the test's own, to be asked as it is on the wire (`get`) and through the product's client. */
export function gameOverFetch(options: Partial<SimulatorOptions> = {}) {
  const simulator = createSimulator({ seed: 1, epoch: gameEpoch, world: "small", ...options });
  const { control, demoKeys: keys, baseUrl, fetch, now } = simulator;
  const client = createGameClient({ baseUrl, fetch, now });

  /** The answer's text to a path below the version, or to a full URL as paging links are. */
  async function text(path: string, key: string = keys.developer): Promise<string> {
    const url = path.startsWith("http") ? path : `${baseUrl}/${path}`;
    return (await fetch(new Request(url, { headers: { authorization: `ApiKey ${key}` } }))).text();
  }
  const get = async (path: string, key?: string) => JSON.parse(await text(path, key));

  return { simulator, control, keys, client, now, text, get };
}
