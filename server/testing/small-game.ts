import { createGameClient } from "#server/game/client";
import { createSimulator } from "#simulator/simulator";

export const smallGameEpoch = new Date("2026-01-01T12:00:00.000Z");

/** Raw, by default as the developer, and through the product's client. */
export function smallGame({ epoch = smallGameEpoch } = {}) {
  const simulator = createSimulator({ seed: 1, epoch, world: "small" });
  const client = createGameClient({
    baseUrl: simulator.baseUrl,
    fetch: simulator.fetch,
    now: simulator.now,
  });
  const keys = simulator.demoKeys;
  const get = async (path: string, key: string = keys.developer) => {
    const request = new Request(`${simulator.baseUrl}/${path}`, {
      headers: { authorization: `ApiKey ${key}` },
    });
    return (await simulator.fetch(request)).json();
  };
  return { simulator, control: simulator.control, client, get, keys };
}
