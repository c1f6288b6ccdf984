import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * Runs after every installation. postgres.js 3.4.9 lets a transaction go on with a connection that was closed under it: a
 * write then throws where nobody can catch it, which ends the process (its issues 1066, 1154 and 1208, open), and once the
 * pool has opened the connection again for somebody else, the rest of the transaction would run there, outside of any.
 * With these lines its queries are rejected instead. Goes when a release has them.
 */
const changes = [
  {
    file: "connection.js",
    from: "    if (stream)\n      return queryError(q, Errors.generic('COPY_IN_PROGRESS'",
    to: "    if (socket === null)\n      return (queryError(q, Errors.connection('CONNECTION_CLOSED', options)), true)\n\n    if (stream)\n      return queryError(q, Errors.generic('COPY_IN_PROGRESS'",
  },
  {
    file: "connection.js",
    from: "    !hadError && (query || sent.length) && error(",
    to: "    ;(query || sent.length) && error(",
  },
  {
    file: "connection.js",
    from: "  function nextWrite(fn) {\n    const x",
    to: "  function nextWrite(fn) {\n    if (socket === null)\n      return (chunk = nextWriteTimer = null, true)\n\n    const x",
  },
  {
    file: "connection.js",
    from: "    incomings = null\n    clearImmediate(nextWriteTimer)\n    socket.removeListener",
    to: "    incomings = null\n    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.removeListener",
  },
  {
    file: "connection.js",
    from: "        return fetchArrayTypes()\n",
    to: "        return fetchArrayTypes().catch(() => {})\n",
  },
  {
    file: "index.js",
    from: "    let savepoints = 0\n      , connection\n",
    to: "    let savepoints = 0\n      , lost = null\n      , connection\n",
  },
  {
    file: "index.js",
    from: "        new Promise((_, reject) => connection.onclose = reject)",
    to: "        new Promise((_, reject) => connection.onclose = e => reject(lost = e))",
  },
  {
    file: "index.js",
    from: "        q.catch(e => uncaughtError || (uncaughtError = e))\n        c.queue",
    to: "        q.catch(e => uncaughtError || (uncaughtError = e))\n        if (lost)\n          return q.reject(lost)\n\n        c.queue",
  },
];

const driver = path.join(import.meta.dirname, "../node_modules/postgres");
for (const folder of ["src", "cjs/src"]) {
  for (const { file, from, to } of changes) {
    const name = path.join(driver, folder, file);
    if (!existsSync(name)) continue;
    const text = readFileSync(name, "utf8");
    if (text.includes(to)) continue;
    if (!text.includes(from)) {
      process.stderr.write(
        `${name} is not the file that scripts/patch-postgres.mjs knows: look whether it is still needed.\n`,
      );
      process.exit(1);
    }
    writeFileSync(name, text.replace(from, to));
  }
}
