import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { asyncApiText, openApiText } from "#server/answer";

const text = openApiText("https://adjutant.test");
const document = JSON.parse(text);
const programs = path.join(import.meta.dirname, "../node_modules/.bin");
const folder = mkdtempSync(path.join(tmpdir(), "adjutant-clients-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(path.join(folder, "openapi.json"), text);

interface Node {
  readonly [keyword: string]: unknown;
}

interface Body {
  readonly content: { readonly "application/json": { readonly schema: Node } };
}

function holding(keyword: string, node: unknown, at = ""): [string, Node][] {
  if (typeof node !== "object" || node === null) return [];
  const inside = Object.entries(node).flatMap(([name, value]) =>
    /^examples?$/.test(name) ? [] : holding(keyword, value, `${at}/${name}`),
  );
  return keyword in node ? [[at, node as Node], ...inside] : inside;
}

test.each([
  ["OpenAPI", text],
  ["AsyncAPI", asyncApiText("https://adjutant.test")],
])("%s: an integer that can pass 2^31 is said to have 64 bits", (_name, written) => {
  const integers = holding("type", JSON.parse(written)).filter(([, { type }]) =>
    [type].flat().includes("integer"),
  );
  expect(integers.length).toBeGreaterThan(50);
  const fits = ({ format, maximum, enum: values }: Node) =>
    format !== undefined || values !== undefined || Number(maximum) < 2 ** 31;
  expect(integers.filter(([, schema]) => !fits(schema)).map(([at]) => at)).toEqual([]);
});

test("an example has the type of its schema, and no operation has examples of two positions", () => {
  for (const [at, { type, examples }] of holding("examples", document)) {
    const types = [type].flat();
    if (types.length === 1 && Array.isArray(examples) && ["integer", "string"].includes(`${type}`))
      expect([at, typeof examples[0]]).toEqual([at, type === "string" ? "string" : "number"]);
  }
  const { parameters } = document.paths["/api/v1/events"].get;
  const positions = ["after", "lastEventId", "since"];
  const shown = parameters.filter(
    ({ name, schema }: { name: string; schema: Node }) =>
      positions.includes(name) && schema.examples,
  );
  expect(shown.map(({ name }: { name: string }) => name)).toEqual(["since"]);
});

test("no body has an object as its default, for generators take it for a literal", () => {
  for (const [at, { requestBody }] of holding("requestBody", document)) {
    const { schema } = (requestBody as Body).content["application/json"];
    expect([at, schema.default]).toEqual([at, undefined]);
  }
});

function generate(generator: string, options: Node = {}): string {
  const outputPath = path.join(folder, generator);
  const config = path.join(folder, `${generator}.json`);
  const inputPath = path.join(folder, "openapi.json");
  const wanted = { inputPath, outputPath, generator: `@openapi-generator-plus/${generator}` };
  writeFileSync(config, JSON.stringify({ ...wanted, ...options }));
  execFileSync(path.join(programs, "openapi-generator-plus"), ["generate", "-c", config], {
    stdio: "pipe",
  });
  return outputPath;
}

test("a TypeScript client is generated, and compiles", { timeout: 60_000 }, () => {
  const client = generate("typescript-fetch-client-generator");
  writeFileSync(path.join(client, "polyfill.d.ts"), 'declare module "whatwg-fetch";\n');
  const sources = readdirSync(client).filter((name) => name.endsWith(".ts"));
  const target = ["--target", "es2022", "--module", "nodenext"];
  const compiled = spawnSync(
    path.join(programs, "tsc"),
    ["--noEmit", "--strict", "--skipLibCheck", ...target, ...sources],
    { cwd: client, encoding: "utf8" },
  );
  expect(compiled.stdout).toBe("");
});

const hasJava = spawnSync("javac", ["-version"]).status === 0;
if (!hasJava) process.stdout.write("note: no javac: the generated Java client is not compiled\n");

/** The annotations come from libraries that are not on the npm registry. */
function withoutAnnotations(source: string): string {
  let kept = "";
  let at = 0;
  for (const { index, 0: name } of source.matchAll(/@(?:com|io|javax)\.[\w.]+/g)) {
    if (index < at) continue;
    kept += source.slice(at, index);
    at = index + name.length;
    if (source[at] === "(") at = endOfBrackets(source, at);
  }
  return kept + source.slice(at);
}

function endOfBrackets(source: string, from: number): number {
  let depth = 0;
  for (const { index, 0: found } of source.slice(from).matchAll(/"(?:[^"\\]|\\.)*"|[()]/g)) {
    if (found === "(") depth += 1;
    if (found === ")") depth -= 1;
    if (depth === 0) return from + index + 1;
  }
  throw new Error("A bracket is not closed.");
}

test.skipIf(!hasJava)(
  "the records of a Java client, whose int has 32 bits, are generated, compile, and hold the examples",
  { timeout: 60_000 },
  () => {
    const client = generate("java-jaxrs-client-generator", { package: "adjutant" });
    const records = path.join(client, "adjutant/model");
    const plain = path.join(folder, "java");
    mkdirSync(plain);
    const names = readdirSync(records);
    for (const name of names) {
      const source = readFileSync(path.join(records, name), "utf8");
      writeFileSync(path.join(plain, name), withoutAnnotations(source));
    }
    const { market_cap: capital, shares } = document.components.schemas.Stock.properties;
    const probe = `class Probe { Object stock = new adjutant.model.Stock().marketCap(${capital.examples[0]}L).shares(${shares.examples[0]}L); }`;
    writeFileSync(path.join(plain, "Probe.java"), probe);
    const compiled = spawnSync("javac", ["-d", "classes", ...names, "Probe.java"], {
      cwd: plain,
      encoding: "utf8",
    });
    expect(compiled.stderr).toBe("");
  },
);
