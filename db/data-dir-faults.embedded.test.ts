import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { explainDiskFault, isDiskFault } from "./data-directory";
import { openPglite } from "./pglite";

const megabyte = 1_048_576;
/** A new database takes about 40 of them. */
const roomy = "100m";
const patiently = { timeout: 240_000 };

/** Mounting a test's own file system needs Linux and root. */
function mayMount(): boolean {
  try {
    execFileSync("unshare", ["--mount", "mount", "-t", "tmpfs", "none", tmpdir()], {
      stdio: "ignore",
    });
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "adjutant-disk-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const start = (dataDir: string): Promise<string> =>
  openPglite(dataDir, () => {}).then(async (database) => {
    await database.close();
    return "opened";
  }, String);
const sentence = (says: string) =>
  new RegExp(`^DataDirUnusable: DATA_DIR is wrong: \\S+ cannot be used, because ${says}`);

test("a DATA_DIR that is a file, or lies below one, is refused with a sentence", async () => {
  const file = path.join(folder, "file");
  await writeFile(file, "");
  for (const dataDir of [file, path.join(file, "below")])
    expect(await start(dataDir)).toMatch(sentence("it is, or lies"));
});

test(
  "a DATA_DIR whose parents are missing is made; a creation that was killed half-way starts over",
  patiently,
  async () => {
    const dataDir = path.join(folder, "a", "b");
    await mkdir(path.join(dataDir, "pglite.unfinished", "base"), { recursive: true });
    await writeFile(path.join(dataDir, "pglite.unfinished", "PG_VERSION"), "rubbish");
    expect(await start(dataDir)).toBe("opened");
  },
);

test("a start waits for a creation that outlives the one that was killed", patiently, async () => {
  const left = path.join(folder, "pglite.unfinished-of-another", "base");
  await mkdir(left, { recursive: true });
  const program = `
    const { mkdirSync, writeFileSync } = require("node:fs");
    process.stdout.write("writing");
    for (const end = Date.now() + 1_500, at = { file: 0 }; Date.now() < end; at.file++)
      try {
        mkdirSync(process.argv[1], { recursive: true });
        writeFileSync(process.argv[1] + "/" + (at.file % 500), "");
      } catch {}
  `;
  const writer = spawn(process.execPath, ["--eval", program, left], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(writer.stdout, "data");
  expect(await start(folder)).toBe("opened");
});

test("a database is made in another process, which gives its memory back", patiently, () => {
  const program = `
    import { openPglite } from "#db/pglite";
    let compiled = 0;
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = (...args) => (compiled++, instantiate(...args));
    await openPglite(process.argv[1], () => {});
    process.stdout.write(String(compiled), () => process.exit(0));
  `;
  const open = () =>
    Number(
      execFileSync(
        process.execPath,
        ["--import", "tsx", "--input-type=module", "-e", program, path.join(folder, "data")],
        { encoding: "utf8" },
      ),
    );
  // Making it here would load the engine once more: 560 MB resident instead of 390 on Node 24.
  const whenMade = open();
  expect(whenMade).toBeGreaterThan(0);
  expect(whenMade).toBe(open());
});

test.each([
  [
    { severity: "ERROR", message: 'could not extend file "base/5/1": No space left on device' },
    /its disk is full/,
  ],
  [
    { severity: "PANIC", message: "could not write to log file: Read-only file system" },
    /read-only/,
  ],
  [Object.assign(new Error("write"), { code: "EDQUOT" }), /quota/],
  [{ name: "ErrnoError", errno: 51 }, /its disk is full/],
])("%j is told from a fault of the statement, and explained", (error, explained) => {
  expect(isDiskFault(error)).toBe(true);
  expect(explainDiskFault("/data", error)).toMatch(explained);
});

test.each([
  { severity: "ERROR", message: 'relation "No space" does not exist', code: "42P01" },
  Object.assign(new Error("open"), { code: "ENOENT", syscall: "open" }),
  undefined,
])("%j says nothing about the disk", (error) => {
  expect(isDiskFault(error)).toBe(false);
});

describe.skipIf(!mayMount())(
  "on a disk of its own (skipped where this user may not mount one)",
  () => {
    const remount = (how: string) => execFileSync("mount", ["-o", `remount,${how}`, folder]);
    const room = (size: string) =>
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "adjutant", folder]);
    afterEach(() => execFileSync("umount", ["--lazy", folder]));

    test(
      "a read-only one is refused with a sentence, with and without data on it",
      patiently,
      async () => {
        room(roomy);
        expect(await start(path.join(folder, "data"))).toBe("opened");
        remount("ro");
        for (const dataDir of [folder, path.join(folder, "data")])
          expect(await start(dataDir)).toMatch(sentence("its file system is read-only"));
        expect(await start(path.join(folder, "new"))).toMatch(
          sentence("(its file system is read-only|it cannot be created)"),
        );
        remount("rw");
        expect(await start(path.join(folder, "data"))).toBe("opened");
      },
    );

    test(
      "one that fills up while the database is made is refused, and serves when there is room",
      patiently,
      async () => {
        room("20m");
        expect(await start(folder)).toMatch(sentence("its disk is full"));
        remount(`size=${roomy}`);
        expect(await start(folder)).toBe("opened");
        await writeFile(path.join(folder, "fill"), Buffer.alloc(99 * megabyte)).catch(() => {});
        expect(await start(folder)).toMatch(sentence("its disk is full"));
        await rm(path.join(folder, "fill"));
        expect(await start(folder)).toBe("opened");
      },
    );

    test(
      "RE-60: one that fills up while the product writes ends it with a sentence, and nothing that was answered is lost",
      patiently,
      async () => {
        room("60m");
        const child = spawn(
          process.execPath,
          ["--import", "tsx", "--input-type=module", "-e", writer, folder],
          {
            stdio: ["ignore", "pipe", "pipe"],
          },
        );
        let answered = "";
        let said = "";
        child.stdout.on("data", (text) => {
          answered += text;
        });
        child.stderr.on("data", (text) => {
          said += text;
        });
        const [code] = await once(child, "close");
        expect(code, said).toBe(1);
        expect(said).toMatch(/^DATA_DIR \S+ cannot be written: its disk is full[^\n]+\n$/);
        remount(`size=${roomy}`);
        const database = await openPglite(folder, () => {});
        const answer: unknown = await database.query.execute(
          "select count(*)::int as rows from written",
        );
        const [{ rows }] = (answer as { rows: [{ rows: number }] }).rows;
        await database.close();
        expect(answered.length).toBeGreaterThan(0);
        expect(rows).toBeGreaterThanOrEqual(answered.length);
      },
    );
  },
);

const writer = `
  import { openPglite } from "#db/pglite";
  const database = await openPglite(process.argv[1], (sentence) => { process.stderr.write(sentence + "\\n"); process.exit(1); });
  await database.script("create table written (text text)");
  const row = "insert into written select string_agg(md5(random()::text), '') from generate_series(1, 30000)";
  for (;;) { await database.script(row).catch(() => process.exit(9)); process.stdout.write("."); }
`;
