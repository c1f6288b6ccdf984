import "./node-version.mjs";
import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** `npm start` and `npm run worker`: builds if needed, then becomes the built process. */
const product = process.argv[2] === "worker" ? "worker.js" : "server.js";

process.chdir(path.join(import.meta.dirname, ".."));
process.env.NODE_ENV ??= "production";
process.env.NEXT_TELEMETRY_DISABLED ??= "1";

if (!existsSync("node_modules/next")) fail("The packages are not installed. Run: npm ci");
const { openBuild } = await import("./build.mjs");
const folder = await openBuild().catch((error) =>
  fail(`${error.message} Adjutant was not started.`),
);
// A container's process 1 gets no signal without a handler.
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => process.exit(0));
// Not spawned: signals, exit code and kill -9 concern one process.
await import(pathToFileURL(path.resolve(folder, product)).href);

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
