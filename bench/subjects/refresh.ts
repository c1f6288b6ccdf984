import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { noRedis, openOurs, openServices } from "../ours";
import { beginChains } from "../refresh-chains";
import type { Subject } from "../subject";
import { basic } from "../../e2e/support/visitor";

/** One for each connection, and some for requests that wrk makes up but does not send. */
const chainsPerRound = 80;

/** A refresh with rotation, durable: PostgreSQL waits for the disk. */
export const refresh: Subject = {
  id: "refresh",
  title: "POST /oauth/token, refresh with rotation, durable",
  isOurs: true,
  start: async (installation) => {
    const services = await openServices();
    if (!services) return { leftOut: noRedis };
    const ours = await openOurs({ installation, services }, {});
    const file = path.join(tmpdir(), `adjutant-bench-${ours.product.process.pid}.tokens`);
    const source = { databaseUrl: services.databaseUrl, serverSecret: ours.serverSecret };
    return {
      url: `${ours.product.url}/oauth/token`,
      pid: ours.product.process.pid ?? 0,
      script: async () => {
        const chains = await beginChains(source, chainsPerRound);
        await writeFile(file, chains.map((chain) => `${chain.refreshToken}\n`).join(""), {
          mode: 0o600,
        });
        return {
          file: path.join(import.meta.dirname, "../refresh.lua"),
          args: [file, basic(ours.client)],
        };
      },
      stop: async () => {
        await rm(file, { force: true });
        await ours.stop();
      },
    };
  },
};
