import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";

const require = createRequire(import.meta.url);
const { shareChunks } = await import(path.join(import.meta.dirname, "build.mjs"));

test("chunks that differ in the name of their map alone are one module, and all others stay what they are", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "adjutant-chunks-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string) => {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  const chunk = (value: number, map: string) =>
    `module.exports=[${value}];\n\n//# sourceMappingURL=${map}.js.map`;
  write("a.js", chunk(1, "a"));
  write("ssr/b.js", chunk(1, "b"));
  write("c.js", chunk(2, "a"));
  write("a.js.map", "{}");
  write("b.js.map", "{}");
  shareChunks(folder);
  const load = (name: string): unknown => require(path.join(folder, name));
  expect(load("ssr/b.js")).toBe(load("a.js"));
  expect(load("c.js")).toEqual([2]);
  expect(lstatSync(path.join(folder, "c.js")).isSymbolicLink()).toBe(false);
  expect(readFileSync(path.join(folder, "b.js.map"), "utf8")).toBe("{}");
});
