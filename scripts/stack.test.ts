import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readSourceTree } from "#server/testing/source-tree";

const root = path.join(import.meta.dirname, "..");
const { dependencies, devDependencies } = JSON.parse(
  readFileSync(path.join(root, "package.json"), "utf8"),
);
const sources = readSourceTree().filter(
  ({ path: file }) => !/\.test\.tsx?$/.test(file) && !/\/testing\//.test(file),
);

/** The required packages, and where each is used. */
const packages = {
  next: "app/",
  react: "app/",
  "@trpc/server": "server/trpc/",
  "@trpc/next": "app/",
  "drizzle-orm": "db/",
  postgres: "db/",
  lucia: "server/auth/",
  arctic: "server/auth/",
  "@upstash/ratelimit": "server/platform/limiter/",
  "@upstash/redis": "server/platform/limiter/",
  standardwebhooks: "server/webhooks/",
  zod: "server/",
  playwright: "e2e/",
};
const isOf = (target: string, name: string) => target === name || target.startsWith(`${name}/`);

test.each(Object.entries(packages))(
  "the product depends on %s, in an exact version, and uses it in %s",
  (name, folder) => {
    expect({ ...dependencies, ...devDependencies }[name]).toMatch(/^\d+\.\d+\.\d+$/);
    const users = sources.filter(({ imports }) =>
      imports.some(({ target, typeOnly }) => !typeOnly && isOf(target, name)),
    );
    expect(users.map(({ path: file }) => file)).toContainEqual(expect.stringContaining(folder));
  },
);

test("what a running product imports is installed without the tools of development", () => {
  const running = Object.keys(packages).filter((name) => name !== "playwright");
  expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(running));
});

test("functions of a platform load none of the packages that they are not given, so that each of them starts", async () => {
  const { default: config } = await import(path.join(root, "next.config.mjs"));
  const leftOut = Object.values<string[]>(config.outputFileTracingExcludes)
    .flat()
    .flatMap((each) => /^node_modules\/([^*]+)\//.exec(each)?.[1] ?? []);
  expect(leftOut).toContain("@electric-sql");
  /** Packages loaded by pages and routes, with the first file that imports them. */
  const loaded = new Map(
    sources
      .filter(({ path: file }) => /^app\/|^proxy\.ts$/.test(file))
      .map((each) => [each.path, ""]),
  );
  for (const [file] of loaded)
    for (const { target, typeOnly, later } of sources.find((each) => each.path === file)?.imports ??
      [])
      if (!typeOnly && !later && !loaded.has(target)) loaded.set(target, file);
  expect([...loaded.keys()]).toEqual(
    expect.arrayContaining(["server/open-database.ts", "postgres"]),
  );
  const wayTo = (target: string): string => {
    const from = loaded.get(target);
    return from ? `${wayTo(from)} → ${target}` : target;
  };
  const missing = [...loaded.keys()].filter((target) => leftOut.some((name) => isOf(target, name)));
  expect(
    missing.map(wayTo),
    "Load it with import() where it is needed, as server/open-database.ts does.",
  ).toEqual([]);
});

test.each(["package.json", "tsconfig.json", "next.config.mjs", "drizzle.config.ts", "README.md"])(
  "the file %s stands at the top",
  (name) => expect(statSync(path.join(root, name)).isFile()).toBe(true),
);

test.each(["app", "server", "db", "e2e", "public"])("the folder %s stands at the top", (name) =>
  expect(existsSync(path.join(root, name, "."))).toBe(true),
);
