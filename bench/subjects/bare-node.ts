import { spawn } from "node:child_process";
import { once } from "node:events";
import { freePort } from "#server/testing/free-port";
import type { Subject } from "../subject";

const program = `
  const body = JSON.stringify({ id: 1, name: "x".repeat(170) });
  const headers = { "content-type": "application/json", "content-length": body.length };
  require("node:http").createServer((request, response) => response.writeHead(200, headers).end(body))
    .listen(Number(process.argv[1]), "127.0.0.1", () => console.log("ready"));
`;

/** The ceiling of the platform: node:http and 200 bytes of JSON. */
export const bareNode: Subject = {
  id: "N",
  title: "N: bare node:http, 200 bytes of JSON",
  start: async () => {
    const port = await freePort();
    const server = spawn(process.execPath, ["-e", program, String(port)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(server.stdout, "data");
    return {
      url: `http://127.0.0.1:${port}/`,
      pid: server.pid ?? 0,
      stop: async () => {
        server.kill();
        await once(server, "exit");
      },
    };
  },
};
