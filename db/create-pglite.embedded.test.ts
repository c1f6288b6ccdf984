import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { expect, test } from "vitest";
import { pgliteInitProgram } from "./pglite";

test("an empty database is made by an installation whose path has a #, a % and a ?", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "adjutant #1 100%20?-"));
  const installed = "node_modules/@electric-sql/pglite";
  for (const part of ["package.json", "dist"])
    cpSync(path.join(installed, part), path.join(folder, installed, part), { recursive: true });
  const asked = JSON.stringify([path.join(folder, "data"), PGlite.defaultStartParams]);
  const child = spawn(process.execPath, ["--eval", pgliteInitProgram, asked], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  expect(await once(child, "message")).toEqual([null, undefined]);
  await once(child, "exit");
  rmSync(folder, { recursive: true });
});
