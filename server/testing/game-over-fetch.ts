import { createGameClient } from "#server/game/client";
import { createSimulator, type SimulatorOptions } from "#simulator/simulator";

/** The simulated past ends here, and the clock stays here. */
export const gameEpoch = new Date("2026-01-01T12:00:00.000Z");

/** A simulated game, raw (`get`) and through the product's client. */
export function gameOverFetch(options: Partial<SimulatorOptions> = {}) {
  const simulator = createSimulator({ seed: 1, epoch: gameEpoch, world: "small", ...options });
  const { control, demoKeys: keys, baseUrl, fetch, now } = simulator;
  const client = createGameClient({ baseUrl, fetch, now });

  /** A path relative to the version, or a full URL as in paging links. */
  async function text(path: string, key: string = keys.developer): Promise<string> {
    const url = path.startsWith("http") ? path : `${baseUrl}/${path}`;
    return (await fetch(new Request(url, { headers: { authorization: `ApiKey ${key}` } }))).text();
  }
  const get = async (path: string, key?: string) => JSON.parse(await text(path, key));

  return { simulator, control, keys, client, now, text, get };
}
