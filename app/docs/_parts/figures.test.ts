import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parseEnvironment } from "#server/platform/env";
import { guideFigures } from "../oauth/_parts/guide-figures";
import { recipes } from "../oauth/_parts/libraries";

const docs = path.join(import.meta.dirname, "..");

test("lifetimes, limits and sizes in the guide are read from settings and constants, not typed", () => {
  const typed = /\b\d[\d,]* ?(seconds?|minutes?|hours?|days?|KB|a minute)\b/;
  const files = ["oauth", "limits"].flatMap((folder) =>
    readdirSync(path.join(docs, folder), { recursive: true, encoding: "utf8" }).map(
      (name) => `${folder}/${name}`,
    ),
  );
  const broken = files
    .filter((name) => name.endsWith(".tsx"))
    .filter((name) => typed.test(readFileSync(path.join(docs, name), "utf8")));
  expect(broken).toEqual([]);
});

test("other settings change what the guide says", () => {
  const { lifetimes, rates } = parseEnvironment({
    REFRESH_REUSE_SECONDS: "45",
    RATE_CLIENT: "1234",
  });
  expect(guideFigures({ lifetimes, rates })).toMatchObject({
    reuse: "45 seconds",
    clientCalls: "1,234 a minute",
  });
});

test("the guide shows every recipe that there is", () => {
  const there = readdirSync(path.join(docs, "../../docs/recipes"));
  expect(recipes.map(({ file }) => file).sort()).toEqual(there.sort());
});

test("a Python recipe can be imported by the name it is saved under, and hides none of the modules that it imports", () => {
  const folder = path.join(docs, "../../docs/recipes");
  const python = recipes.filter(({ language }) => language === "python").map(({ file }) => file);
  expect(python).not.toEqual([]);
  for (const file of python) {
    const module = file.replace(/\.py$/, "");
    const text = readFileSync(path.join(folder, file), "utf8");
    const imported = [...text.matchAll(/^(?:from|import) (\w+)/gm)].map(([, name]) => name);
    expect(module).toMatch(/^[a-z_]+$/);
    expect(imported).not.toContain(module);
  }
});
