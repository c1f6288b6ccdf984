import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { lockDirectory } from "./data-directory";

const directory = await mkdtemp(path.join(tmpdir(), "adjutant-lock-"));
afterAll(() => rm(directory, { recursive: true, force: true }));

async function otherProcess() {
  const script = `import { lockDirectory } from "#db/data-directory"; await lockDirectory(process.argv[1]); process.stdout.write("held"); setInterval(() => {}, 1000);`;
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "-e", script, directory],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  await once(child.stdout, "data");
  return child;
}

test("RE-61: a second process is refused and told which one holds the directory; a killed holder is taken over from", async () => {
  const child = await otherProcess();
  await expect(lockDirectory(directory)).rejects.toMatchObject({ name: "DirectoryInUse" });
  await expect(lockDirectory(directory)).rejects.toThrow(`process ${child.pid}`);
  child.kill("SIGKILL");
  await once(child, "exit");
  const release = await lockDirectory(directory);
  await release();
});

test("a directory that was let go of can be held again", async () => {
  const release = await lockDirectory(directory);
  await expect(lockDirectory(directory)).rejects.toMatchObject({ name: "DirectoryInUse" });
  await release();
  const again = await lockDirectory(directory);
  await again();
});
