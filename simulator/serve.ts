import { readSettings } from "#server/platform/env";
import { demoPeople } from "./demo-people";
import { createSimulatorServer, verbNames } from "./http-server";
import { createSimulator } from "./simulator";

/** Fixed, so that the world is the same at every start. */
const epoch = new Date("2026-01-01T00:00:00.000Z");

const say = (line: string) => process.stdout.write(`${line}\n`);

const simulator = createSimulator({ seed: 1, epoch, now: () => new Date() });
const server = createSimulatorServer(simulator);

server.once("error", (error: NodeJS.ErrnoException) => {
  const reason =
    error.code === "EADDRINUSE" ? "the port is taken; set SIMULATOR_PORT" : error.message;
  process.stderr.write(`The simulated game could not start: ${reason}.\n`);
  process.exit(1);
});

server.listen(readSettings().simulatorPort, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const { players, factions, keys } = simulator.control.state();
  say(`Simulated game: ${players} players, ${factions} factions, ${keys} keys.`);
  say(`GAME_API_URL=http://127.0.0.1:${port}/v2`);
  say(
    `Control: POST http://127.0.0.1:${port}/__sim/<verb>; verbs: ${verbNames(simulator).join(", ")}`,
  );
  for (const { key, name, playerId, words } of demoPeople)
    say(`  ${key}  ${name} [${playerId}]  ${words}`);
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}
