import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const root = path.join(import.meta.dirname, "..");
const patiently = { timeout: 120_000 };

/** Replaces Next: slow, and it can be paused in the middle. */
const pagesBuilder = `
  const { existsSync, mkdirSync, readFileSync, writeFileSync, appendFileSync } = require("node:fs");
  const folder = process.env.BUILD_FOLDER + "/.next";
  for (const part of ["/static", "/server/chunks"]) mkdirSync(folder + part, { recursive: true });
  appendFileSync("builds-begun", "x");
  (function wait() {
    if (existsSync("hold")) return setTimeout(wait, 20);
    writeFileSync(folder + "/PAGE", readFileSync("app/page.txt"));
  })();
`;
/** Replaces the product: prints its build's content on each request. */
const product = `
  import { readFileSync } from "node:fs";
  import path from "node:path";
  process.stdin.on("data", () => process.stdout.write(readFileSync(path.join(import.meta.dirname, ".next/PAGE"))));
  process.stdout.write("started;");
`;

let folder: string;
const running: ChildProcess[] = [];
const write = (file: string, text: string) => writeFile(path.join(folder, file), text);
const builds = async () => (await readdir(path.join(folder, "dist"))).sort();

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "adjutant-build-"));
  for (const each of ["app", "public", "scripts", "server/jobs", "node_modules/next/dist/bin"])
    await mkdir(path.join(folder, each), { recursive: true });
  for (const each of ["build", "builds", "node-version", "start"])
    await cp(path.join(root, `scripts/${each}.mjs`), path.join(folder, `scripts/${each}.mjs`));
  for (const each of ["source-folders", "bundle-options"])
    await cp(path.join(root, `scripts/${each}.json`), path.join(folder, `scripts/${each}.json`));
  await symlink(path.join(root, "node_modules/esbuild"), path.join(folder, "node_modules/esbuild"));
  await write("package.json", '{"type":"module"}');
  await write("node_modules/next/package.json", "{}");
  await write("node_modules/next/dist/bin/next", pagesBuilder);
  for (const each of ["server/main.ts", "server/jobs/main.ts"]) await write(each, product);
  for (const each of ["next.config.mjs", "public/robots.txt"]) await write(each, "");
  await write("tsconfig.json", "{}");
  await write("app/page.txt", "one");
});
afterEach(async () => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** As `npm start` does. */
function start() {
  const child = spawn(process.execPath, ["scripts/start.mjs"], {
    cwd: folder,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  running.push(child);
  let output = "";
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text) => {
      output += text;
      for (const look of waiting) look();
    });
  const said = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => output.includes(text) && resolve();
      waiting.add(look);
      child.once("exit", () => reject(new Error(`It ended before it said "${text}":\n${output}`)));
      look();
    });
  return {
    said,
    output: () => output,
    /** Child process ids; empty if the system does not list them. */
    children: () =>
      readFile(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").catch(() => ""),
    end: async () => {
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      return (await gone)[0];
    },
    page: async () => {
      const answer = once(child.stdout, "data");
      child.stdin.write("?");
      return String((await answer)[0]);
    },
    kill: async () => {
      const gone = once(child, "exit");
      process.kill(-(child.pid ?? Number.NaN), "SIGKILL");
      await gone;
    },
  };
}

test.each(["a?b", "a#b"])(
  "a start in a folder named %s is refused with one sentence",
  async (name) => {
    const odd = path.join(folder, name);
    await cp(path.join(folder, "scripts"), path.join(odd, "scripts"), { recursive: true });
    const refused = spawn(process.execPath, ["scripts/start.mjs"], { cwd: odd });
    running.push(refused);
    const said: string[] = [];
    refused.stderr.on("data", (text) => said.push(String(text)));
    expect(await once(refused, "close")).toEqual([1, null]);
    expect(said.join("")).toBe(
      `Adjutant cannot run in a folder with ? or # in its path: move it from ${odd}.\n`,
    );
  },
);

test(
  "a start that had to build leaves no process of the bundler beside the server",
  patiently,
  async () => {
    const product = start();
    await product.said("started;");
    expect(product.output()).toContain("Server and worker");
    await expect.poll(product.children).toBe("");
  },
);

test(
  "a running process keeps its build while another one builds changed sources beside it",
  patiently,
  async () => {
    const first = start();
    await first.said("started;");
    const [old] = await builds();
    await write("app/page.txt", "two");
    const second = start();
    await second.said("started;");
    expect([await first.page(), await second.page()]).toEqual(["one", "two"]);
    expect(await builds()).toHaveLength(2);

    await first.kill();
    const third = start();
    await third.said("started;");
    expect(third.output()).not.toContain("Building");
    expect(await builds()).toHaveLength(1);
    expect(await builds()).not.toContain(old);
    expect([await second.page(), await third.page()]).toEqual(["two", "two"]);
  },
);

test(
  "a process that is told to end while it still loads ends with code 0, as one without a listener would not as a container's process 1",
  patiently,
  async () => {
    const early = start();
    await early.said("started;");
    expect(await early.end()).toBe(0);
  },
);

test("processes that start at once build once", patiently, async () => {
  await write("hold", "");
  const starts = [start(), start(), start()];
  await Promise.any(starts.map(({ said }) => said("Pages")));
  await Promise.any(starts.map(({ said }) => said("waiting for it")));
  await rm(path.join(folder, "hold"));
  await Promise.all(starts.map(({ said }) => said("started;")));
  expect(await readFile(path.join(folder, "builds-begun"), "utf8")).toBe("x");
  expect(await builds()).toHaveLength(1);
});

test(
  "a build that was killed half-way is not taken for whole, and is cleared away",
  patiently,
  async () => {
    await write("hold", "");
    const killed = start();
    await killed.said("Pages");
    expect(await builds()).toEqual([expect.stringMatching(/^\.building-/)]);
    await killed.kill();
    await rm(path.join(folder, "hold"));
    const next = start();
    await next.said("started;");
    expect(next.output()).toContain("Building Adjutant, because there is none yet");
    expect(await builds()).toEqual([expect.stringMatching(/^[0-9a-f]{16}-/)]);
  },
);

test(
  "sources that change back find their build as long as a process runs it",
  patiently,
  async () => {
    const first = start();
    await first.said("started;");
    await write("app/page.txt", "two");
    await start().said("started;");
    await write("app/page.txt", "one");
    const again = start();
    await again.said("started;");
    expect(again.output()).not.toContain("Building");
    expect(await again.page()).toBe("one");
  },
);

test(
  "an installation without its sources starts the build that it carries",
  patiently,
  async () => {
    const first = start();
    await first.said("started;");
    await first.kill();
    for (const each of ["app", "server"]) await rm(path.join(folder, each), { recursive: true });
    const carried = start();
    await carried.said("started;");
    expect(await carried.page()).toBe("one");
  },
);

test(
  "a process that finds the lock of builds taken, and free a moment later, gets it",
  patiently,
  async () => {
    const script = `
    import { lockBuilds } from "./scripts/builds.mjs";
    const release = await lockBuilds();
    // It has found the lock taken by the time that the call is back, and asks next for its holder.
    const other = lockBuilds();
    release();
    (await other)();
    process.stdout.write("free");
  `;
    const run = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
      cwd: folder,
    });
    expect([run.status, String(run.stdout), String(run.stderr)]).toEqual([0, "free", ""]);
  },
);
