import { spawnSync } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { connectionCountOf, defaultPoolSizesFor } from "#db/pool-settings";
import { listEvents } from "#server/events/endpoints/list-events";
import { createOriginResolver } from "#server/front/trusted-proxies";
import { apiPrefix, isMachinePath, machinePaths } from "#server/machine-path";
import { parseEnvironment } from "#server/platform/env";
import { settingList } from "#server/platform/environment-variables";
import { makeAuthority } from "#server/testing/certificates";
import manifest from "../package.json" with { type: "json" };

const root = path.join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const image = read("Dockerfile");
const compose = read("compose.yaml");
const { services, "x-settings": ofCompose } = parseYaml(compose, { merge: true }) as {
  "x-settings": Record<string, string>;
  services: Record<string, { image?: string; healthcheck?: { test: unknown } }>;
};
const example = read("deploy/compose.env");
const proxy = read("deploy/haproxy/haproxy.cfg");
const unitNames = readdirSync(path.join(root, "deploy/systemd"));
const units = unitNames.map((name) => read(`deploy/systemd/${name}`));
const operations = read("docs/operations.md");

const folder = mkdtempSync(path.join(tmpdir(), "adjutant-deploy-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const secret = "deployments-are-tested-under-this-Server-Secret-0123456789";
const pairs = (text: string, pattern: RegExp) =>
  Object.fromEntries([...text.matchAll(pattern)].map(([, name = "", value = ""]) => [name, value]));
const first = (text: string, pattern: RegExp) =>
  pattern.exec(text)?.[1] ?? expect.unreachable(String(pattern));
const backends = ["api", "pages", "streams"] as const;
/** A proxy backend's servers, in order. */
const serversIn = (backend: string) => {
  const body = first(`${proxy}\n`, new RegExp(`^backend ${backend}\n((?: .*\n)+)`, "m"));
  return [...body.matchAll(/^ {2}server (\S+) (\S+)(.*)$/gm)].map(
    ([, name = "", place = "", rest = ""]) => ({ name, place, isBackup: rest.endsWith(" backup") }),
  );
};
const numbers = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, found]) => Number(found));

const ofImage = pairs(first(image, /^ENV (.*)$/m), /(\w+)=(\S+)/g);
const ofUnits = Object.assign(
  {},
  ...units.map((unit) => pairs(unit, /(?:^Environment=| )([A-Z_]+)=(\S+)/gm)),
);
/** Variables of compose.yaml that are not settings of the product. */
const ofOthers = new Set(["POSTGRES_PASSWORD", "NEXT_TELEMETRY_DISABLED"]);

test("image, compose file and units set nothing but settings of the product", () => {
  const examples = [example, read("deploy/systemd/adjutant.env")].map((text) =>
    pairs(text, /^([A-Z_]+)=(.*)$/gm),
  );
  const named = [ofImage, ofCompose, ofUnits, ...examples].flatMap((each) => Object.keys(each));
  expect(named.length).toBeGreaterThan(15);
  const known = new Set([...settingList.map(({ variable }) => variable), ...ofOthers]);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test("the compose file is read as YAML, and each health check is a line for a shell, which every engine runs alike", () => {
  expect(Object.keys(services)).toEqual(
    expect.arrayContaining(["api-1", "pages-1", "worker", "proxy", "database", "counters"]),
  );
  expect(Object.values(services).filter(({ image }) => !image)).toEqual([]);
  const checks = Object.values(services).flatMap(({ healthcheck }) =>
    healthcheck ? [healthcheck.test] : [],
  );
  expect(checks.length).toBeGreaterThan(0);
  expect(checks.filter((check) => typeof check !== "string")).toEqual([]);
});

test("a server of the compose file starts with what it is given, and is asked at the ports where it listens", () => {
  const filledIn = {
    BASE_URL: "https://adjutant.example",
    GAME_API_URL: "https://game.example/v2",
    SERVER_SECRET: secret,
    POSTGRES_PASSWORD: "secret",
  };
  const insert = (value: string) =>
    value.replace(/\$\{(\w+):(?:\?|-([^}]*))\}/g, (_all, name: string, usual?: string) =>
      name in filledIn
        ? filledIn[name as keyof typeof filledIn]
        : (usual ?? expect.unreachable(name)),
    );
  const given = Object.fromEntries(
    Object.entries(ofCompose).map(([name, value]) => [name, insert(value)]),
  );
  const settings = parseEnvironment({ ...ofImage, ...filledIn, ...given, JOBS: "off" });
  expect(() => createOriginResolver(settings.trustedProxies)).not.toThrow();
  expect([settings.host, settings.metrics?.host]).toEqual(["0.0.0.0", "0.0.0.0"]);
  expect(Number(first(image, /^EXPOSE (\d+)$/m))).toBe(settings.port);
  expect(numbers(compose, /127\.0\.0\.1:(\d+)\/health', /g)).toEqual([settings.metrics?.port]);
  const named = [...compose.matchAll(/^ {2}([\w-]+): \*(?:server|pages)$/gm)].map(
    ([, name]) => name,
  );
  for (const backend of backends)
    expect(
      serversIn(backend)
        .map(({ name, place }) => [name, place])
        .sort(),
    ).toEqual(named.map((name) => [name, `${name}:${settings.port}`]).sort());
  expect(first(compose, /HTTPS_ADDRESS.*:(\d+)"$/m)).toBe(first(proxy, /bind :(\d+) ssl/));
});

test("the worker's unit reads settings of its own after those it shares with the server, whose metrics port it cannot have", () => {
  const files = (unit: string) =>
    [...read(`deploy/systemd/${unit}.service`).matchAll(/^EnvironmentFile=-?(.*)$/gm)].map(
      ([, file]) => file,
    );
  const [shared, ...more] = files("adjutant-worker");
  expect(files("adjutant")).toEqual([shared]);
  expect(more).toHaveLength(1);
  expect(read("docs/operations.md")).toContain(more[0]);
});

test("everything of the compose file is there again after a reboot, and nobody but the proxy reads the certificate's key", () => {
  const services = compose.slice(compose.indexOf("\nservices:"), compose.indexOf("\nvolumes:"));
  const bodies = [...services.matchAll(/^ {2}[\w-]+:(.*\n(?: {4}.*\n|\n)*)/gm)].map(
    ([body]) => body,
  );
  expect(bodies).toHaveLength(8);
  for (const body of bodies)
    expect(body).toMatch(/^ {4}restart: unless-stopped$|\*(?:server|pages)$|<<: \*process$/m);
  expect(first(compose, /&process\n(?:.*\n)*? {2}restart: (.*)\n/)).toBe("unless-stopped");
  const group = first(compose, /user: "\d+:(\d+)"\n {4}environment:\n {6}TLS_CERTIFICATE/);
  expect(operations).toContain(`install -m 640 -g ${group} /dev/stdin tls/adjutant.pem`);
});

test("PostgreSQL of the compose file has room for all that servers and the worker open", () => {
  const servers = [...compose.matchAll(/^ {2}[\w-]+: \*(?:server|pages)$/gm)].length;
  const database = connectionCountOf(defaultPoolSizesFor({ pooled: false }));
  const most = (servers + 1) * database;
  // PostgreSQL reserves three, and each process opens one more for its migration.
  const spare = 3 + servers + 1;
  expect(Number(first(compose, /max_connections=(\d+)/))).toBeGreaterThanOrEqual(most + spare);
  expect(compose).toContain(`open ${most} at most`);
  expect(operations).toContain(`room for ${most} connections`);
});

test("who installs the units is told of each file, folder and user that they name", () => {
  const section = operations.slice(
    operations.indexOf("## As services of systemd"),
    operations.indexOf("## On a serverless"),
  );
  for (const name of unitNames)
    expect(section).toContain(name.replace(/^adjutant-backup\.service$/, "*.service"));
  for (const unit of units.filter((text) => text.includes("[Service]"))) {
    for (const named of [
      /^WorkingDirectory=(.+)$/m,
      /^EnvironmentFile=(.+)$/m,
      /^ReadWritePaths=-?(.+)$/m,
      /^User=(.+)$/m,
    ]) {
      const value = named.exec(unit)?.[1];
      if (value) expect(section).toContain(value);
    }
    expect(unit).toMatch(/^ExecStart=\/usr\/bin\/node /m);
  }
  expect(section).toContain(
    "install -m 600 deploy/systemd/adjutant.env /etc/adjutant/adjutant.env",
  );
});

test("nobody is asked for a path that the product does not answer", () => {
  const asked = [image, compose, proxy].flatMap((text) => text.match(/\/health\b[/\w]*/g) ?? []);
  expect(new Set(asked)).toEqual(new Set(["/health/live", "/health/ready", "/health"]));
  const runbook = read("docs/runbook.md");
  for (const each of ["localhost:9464/health ", "localhost:3000/health/ready "])
    expect(runbook).toContain(each);
});

test("a server has the time that it takes to end, and is out of the proxy's list before it refuses connections", () => {
  const { drainNotice } = parseEnvironment({ SERVER_SECRET: secret });
  const whole = drainNotice + 20;
  expect(
    Number(first(compose, /&process\n(?:.*\n)*? {2}stop_grace_period: (\d+)s/)),
  ).toBeGreaterThan(whole);
  for (const grace of units.flatMap((unit) => numbers(unit, /^TimeoutStopSec=(\d+)$/gm)))
    expect(grace).toBeGreaterThan(whole);
  const [, every = "", times = ""] = /check inter (\d+)ms fall (\d+)/.exec(proxy) ?? [];
  expect((Number(every) * Number(times)) / 1_000).toBeLessThan(drainNotice);
});

test("a server that takes a call and says nothing is waited for no longer than a page may take; streams of events go on", () => {
  const [usual, streams] = numbers(proxy, /^ {2}timeout server (\d+)s$/gm);
  expect(usual).toBeGreaterThan(20);
  expect(usual).toBeLessThanOrEqual(30);
  expect(streams).toBeGreaterThanOrEqual(60);
  expect(first(proxy, /use_backend streams if \{ path (.+) \}/).split(" ")).toContain(
    `/api/v1${listEvents.path}`,
  );
  expect(serversIn("streams")).toEqual(serversIn("api"));
});

test("paths of programs and pages go to different servers, and each group answers for the other where it is away", () => {
  const listed = (acl: string, kind: string) =>
    [...proxy.matchAll(new RegExp(`^  acl ${acl} ${kind} (.+)$`, "gm"))].flatMap(([, paths = ""]) =>
      paths.split(" "),
    );
  const isIn = (acl: string, pathname: string) =>
    listed(acl, "path").includes(pathname) ||
    listed(acl, "path_beg").some((start) => pathname.startsWith(start));
  const goesToApi = (pathname: string) => isIn("machine", pathname) && !isIn("portal", pathname);
  const paths = [...machinePaths, `${apiPrefix}/user`, "/api/openapi.json", "/", "/account"];
  const others = ["/api/trpc", "/api/trpc/account.me", "/oauth/authorize", "/docs/api"];
  for (const each of [...paths, ...others])
    expect([each, goesToApi(each)]).toEqual([each, isMachinePath(each)]);
  const namesOf = (backend: string, group: "backup" | "first") =>
    serversIn(backend)
      .filter(({ isBackup }) => isBackup === (group === "backup"))
      .map(({ name }) => name);
  expect(namesOf("pages", "first")).toHaveLength(2);
  expect(namesOf("pages", "first")).toEqual(namesOf("api", "backup"));
  expect(namesOf("pages", "backup")).toEqual(namesOf("api", "first"));
});

test("the image has the Node that is tested, programs as new as its database, and no rights of root", () => {
  expect(first(image, /^ARG BASE=\S+:(\d+\.\d+\.\d+)/m)).toBe(manifest.dependencies.node);
  expect(first(compose, /library\/postgres:(\d+)/)).toBe(first(image, /postgresql-client-(\d+)/));
  expect(first(compose, /adjutant:(\d+\.\d+\.\d+)/)).toBe(manifest.version);
  const [last] = [...image.matchAll(/^USER (\d+):/gm)].slice(-1);
  expect(Number(last?.[1])).toBeGreaterThan(0);
  expect(compose).toMatch(
    /&process\n(?:.*\n)*? {2}read_only: true\n(?:.*\n)*? {2}cap_drop: \[ALL\]/,
  );
});

/**
 * True if `.dockerignore` excludes the file or a folder above it. The last matching line decides.
 */
function isIgnored(file: string): boolean {
  const within = file.split("/").map((_part, at, parts) => parts.slice(0, at + 1).join("/"));
  const pattern = (line: string) =>
    new RegExp(
      `^${line
        .replaceAll(".", "\\.")
        .replace("**/", "(?:.*/)?")
        .replace(/(?<!\.)\*/g, "[^/]*")}$`,
    );
  const speaksOf = (line: string) => within.some((each) => pattern(line).test(each));
  const last = read(".dockerignore")
    .split("\n")
    .filter((line) => /^[^#]/.test(line))
    .findLast((line) => speaksOf(line.replace("!", "")));
  return last !== undefined && !last.startsWith("!");
}

test("every script that image, compose file and units start is there", () => {
  const started = [image, compose, ...units].flatMap(
    (text) => text.match(/\bscripts\/[\w-]+\.\w+/g) ?? [],
  );
  expect(started.length).toBeGreaterThan(5);
  expect(started.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

test("the image has what the build needs, and what the product reads while it runs", async () => {
  const { product } = JSON.parse(read("scripts/source-folders.json"));
  // Next needs every setting that pages read from the installation.
  const { default: config } = await import(path.join(root, "next.config.mjs"));
  const readByPages = Object.values<string[]>(config.outputFileTracingIncludes).flat();
  const patterns = read("app/docs/_parts/guides.ts").matchAll(/^ +"\/(.+)",$/gm);
  const compiledIn = [...patterns].flatMap(([, pattern = ""]) => globSync(pattern, { cwd: root }));
  expect(compiledIn).toEqual(
    expect.arrayContaining(["CHANGELOG.md", "app/docs/guides/oauth.md", "docs/recipes/curl.sh"]),
  );
  const needed = [
    ...product,
    "scripts",
    "public",
    "patches",
    ".npmrc",
    ...readByPages,
    ...compiledIn,
  ];
  expect(needed.filter((file) => !existsSync(path.join(root, file)) || isIgnored(file))).toEqual(
    [],
  );
  expect(
    ["node_modules", "server/testing", "README.md", "server/actor.test.ts"].every(isIgnored),
  ).toBe(true);
});

const haproxy = ["/usr/sbin/haproxy", "/usr/local/sbin/haproxy"].find(existsSync);
if (!haproxy) process.stdout.write("note: no haproxy: its configuration is not tried\n");
test.skipIf(!haproxy)("HAProxy takes its configuration without a warning", async () => {
  const { key, certificate } = await (await makeAuthority()).issue([
    { type: "dns", value: "adjutant.example" },
  ]);
  const file = path.join(folder, "adjutant.pem");
  writeFileSync(file, `${certificate}\n${key}\n`);
  const args = ["-c", "-f", path.join(root, "deploy/haproxy/haproxy.cfg")];
  const { status, stderr } = spawnSync(haproxy ?? "", args, {
    env: { NODE_ENV: "test", TLS_CERTIFICATE: file },
    encoding: "utf8",
  });
  expect([status, stderr.match(/^\[(?:WARNING|ALERT)\].*$/gm)]).toEqual([0, null]);
});
