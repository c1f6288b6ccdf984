import type { AddressInfo } from "node:net";
import { readSettings } from "#server/platform/env";
import { exitWithSentence, listen } from "#server/platform/process";
import { demoPeople } from "./demo-people";
import { createSimulatorServer, verbNames } from "./http-server";
import { createSimulator } from "./simulator";

/** Fixed, so that the world is the same at every start. */
const epoch = new Date("2026-01-01T00:00:00.000Z");

const say = (line: string) => process.stdout.write(`${line}\n`);

const simulator = createSimulator({ seed: 1, epoch, now: () => new Date() });
const server = createSimulatorServer(simulator);

await listen(server, {
  port: readSettings().simulatorPort,
  host: "127.0.0.1",
  settings: { port: "SIMULATOR_PORT", host: "HOST" },
}).catch(exitWithSentence);
const { port } = server.address() as AddressInfo;
const { players, factions, keys } = simulator.control.state();
say(`Simulated game: ${players} players, ${factions} factions, ${keys} keys.`);
say(`GAME_API_URL=http://127.0.0.1:${port}/v2`);
say(
  `Control: POST http://127.0.0.1:${port}/__sim/<verb>; verbs: ${verbNames(simulator).join(", ")}`,
);
for (const { key, name, playerId, words } of demoPeople)
  say(`  ${key}  ${name} [${playerId}]  ${words}`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}
