import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "playwright/test";
import { startProduct } from "#server/testing/product";
import folders from "../../scripts/source-folders.json" with { type: "json" };

const root = path.join(import.meta.dirname, "../..");
const copied = [...folders.product, "docs", "scripts", "public", "dist"];
const paths = ["/", "/sign-in", "/docs", "/docs/api", "/docs/errors", "/robots.txt", "/icon.svg"];
/** Milliseconds: a build on a busy machine. */
const patience = 900_000;

/**
 * A copy of this installation and its build, with sources that the test may change. It is beside
 * this one, so that packages can be linked.
 */
async function copyInstallation(): Promise<string> {
  await mkdir(path.join(root, ".cache"), { recursive: true });
  const folder = await mkdtemp(path.join(root, ".cache/installation-"));
  const entries = await readdir(root, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  for (const name of [...copied, ...files])
    await cp(path.join(root, name), path.join(folder, name), {
      recursive: true,
      verbatimSymlinks: true,
      // Sockets of a build's users.
      filter: (source) => !/[\\/]dist[\\/][^\\/]+[\\/]users[\\/]/.test(source),
    });
  execFileSync("cp", ["-al", path.join(root, "node_modules"), path.join(folder, "node_modules")]);
  return folder;
}

/**
 * Keeps only one page: builds take less time, and only a server of an earlier build still has the
 * others.
 */
async function keepSignInAlone(folder: string): Promise<void> {
  const app = path.join(folder, "app");
  for (const file of await readdir(app, { recursive: true }))
    if (/^(?:page\.tsx|route\.tsx?)$/.test(path.basename(file)) && !file.includes("sign-in"))
      await rm(path.join(app, file));
}

/** Complete builds and builds in progress; older layouts may have left other files. */
const builds = async (folder: string) =>
  (await readdir(path.join(folder, "dist")))
    .filter((name) => /^(\.building|[0-9a-f]{16})-/.test(name))
    .sort();

/** Milliseconds between rounds: without them the visitor would take a core from the builds. */
const pace = 200;

function visitUntilStopped(url: string) {
  const failures: unknown[] = [];
  let visits = 0;
  let going = true;
  const visit = async (address: string) => {
    const answer = await fetch(address, { redirect: "manual" });
    const text = await answer.text();
    visits += 1;
    if (answer.status !== 200) failures.push([address, answer.status]);
    return text;
  };
  const done = (async () => {
    for (; going; await wait(pace))
      for (const each of paths) {
        const page = await visit(url + each).catch((error: unknown) =>
          String(failures.push([each, String(error)])),
        );
        const assets = new Set(page.match(/\/_next\/static\/[^"'\\]+\.(?:js|css)/g));
        for (const asset of assets)
          await visit(url + asset).catch((error: unknown) => failures.push([asset, String(error)]));
      }
  })();
  return {
    stop: async () => {
      going = false;
      await done;
      return { failures, visits };
    },
  };
}

test("a running server serves its build, however often others start, build and are killed beside it", async () => {
  test.setTimeout(2 * patience);
  const folder = await copyInstallation();
  const robots = path.join(folder, "public/robots.txt");
  // One visitor requests many pages during a build.
  const first = await startProduct({ RATE_PAGES: "1000000" }, folder);
  expect(first.output()).not.toContain("Building");
  const [own] = await builds(folder);
  const visitor = visitUntilStopped(first.url);
  const before = await readFile(robots, "utf8");
  await appendFile(robots, "# changed\n");
  await keepSignInAlone(folder);

  const [second, third] =
    await test.step("two that start at once on changed sources build once", () =>
      Promise.all([startProduct({}, folder), startProduct({}, folder)]));
  const outputs = second.output() + third.output();
  expect(outputs.match(/Building Adjutant, because the sources have changed/g)).toHaveLength(1);
  expect(await (await fetch(`${second.url}/robots.txt`)).text()).toBe(`${before}# changed\n`);
  expect(await (await fetch(`${first.url}/robots.txt`)).text()).toBe(before);
  expect(await builds(folder)).toHaveLength(2);

  await test.step("one that is killed while it builds leaves nothing that is taken for whole", async () => {
    await writeFile(robots, "# changed again\n");
    // A process group, so that the build ends with it.
    const killed = spawn(process.execPath, ["scripts/start.mjs"], {
      cwd: folder,
      detached: true,
      stdio: "ignore",
    });
    const building = async () =>
      (await builds(folder)).some((name) => name.startsWith(".building-"));
    await expect.poll(building, { timeout: patience }).toBe(true);
    process.kill(-(killed.pid ?? Number.NaN), "SIGKILL");
    await once(killed, "exit");
    expect((await builds(folder)).filter((name) => !name.startsWith("."))).toHaveLength(2);
    await writeFile(robots, `${before}# changed\n`);
  });
  const { failures, visits } = await visitor.stop();
  expect(failures.slice(0, 5)).toEqual([]);
  expect(visits).toBeGreaterThan(100);

  await test.step("a build goes when its last process has ended, however it ended", async () => {
    await first.end("SIGKILL");
    const fourth = await startProduct({}, folder);
    expect(fourth.output()).not.toContain("Building");
    const left = await builds(folder);
    expect(left).toHaveLength(1);
    expect(left).not.toContain(own);
    expect((await fetch(`${second.url}/sign-in`)).status).toBe(200);
    await fourth.stop();
  });
  for (const product of [first, second, third]) await product.stop();
  await rm(folder, { recursive: true, force: true });
});
