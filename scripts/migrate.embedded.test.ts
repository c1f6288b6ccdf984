import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { lockDirectory } from "#db/data-directory";

const dataDir = await mkdtemp(path.join(tmpdir(), "adjutant-migrate-"));
afterAll(() => rm(dataDir, { recursive: true, force: true }));

test("beside a server that holds the embedded database it ends with one sentence", {
  timeout: 60_000,
}, async () => {
  const release = await lockDirectory(dataDir);
  const { PATH = "", HOME = "" } = process.env;
  const run = spawnSync(process.execPath, ["--import", "tsx", "scripts/migrate.ts"], {
    cwd: path.join(import.meta.dirname, ".."),
    env: { PATH, HOME, NODE_ENV: "production", DATA_DIR: dataDir },
    encoding: "utf8",
  });
  await release();
  expect(run.stderr).toMatch(
    new RegExp(`^\\S+ is in use by process ${process.pid}\\. [^\\n]+\\n$`),
  );
  expect([run.status, run.stdout]).toEqual([1, ""]);
});
