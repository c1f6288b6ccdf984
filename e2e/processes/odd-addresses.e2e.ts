import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { startProduct } from "#server/testing/product";
import { demoPerson } from "#simulator/demo-people";
import { RecordingVisitor } from "../support/recording-visitor";
import { expect, test } from "../support/test";

const files = readdirSync("app", { recursive: true, encoding: "utf8" });
/** Addresses of all pages, with parameter names in brackets. */
const pages = files
  .filter((file) => path.basename(file) === "page.tsx")
  .map(
    (file) =>
      `/${path
        .dirname(file)
        .replace(/\([^/]*\)\/?/g, "")
        .replace(/^\.$/, "")}`,
  )
  .filter((page) => !page.includes("[..."));

/** All quoted words in the code that reads queries, a superset of the parameter names. */
const parameters = new Set(
  files
    .filter((file) => /\.tsx?$/.test(file) && !file.includes(".test."))
    .map((file) => readFileSync(path.join("app", file), "utf8"))
    .filter((text) => /readParam|searchParams/i.test(text))
    .flatMap((text) => [...text.matchAll(/"([a-z_]{1,20})"/gi)].map(([, name = ""]) => name)),
);

const odd: Readonly<Record<string, string>> = {
  "a NUL and a forged line": '%00%0A{"level":50,"msg":"forged"}',
  "half of a surrogate pair": "%ED%A0%80",
  "a broken escape": "%",
  "150 letters": "x".repeat(150),
  "an hour of a far year": "9999-12-31T23:59",
  "a year of six digits": "+275760-09-13T00:00",
  "a cursor of a far year": "999999999999999_1",
  "a cursor of no row": "1_-",
  "an integer beyond PostgreSQL's": "99999999999",
  "an exponent": "1e308",
};

test("no page answers an odd address with a fault of its own, and each line that it prints is JSON (SC-09)", async () => {
  test.setTimeout(900_000);
  const product = await startProduct({
    ADMIN_USER_IDS: String(demoPerson("developer").playerId),
    ADMIN_SECOND_FACTOR: "waived",
    RATE_PAGES: "100000",
    JOBS: "off",
  });
  try {
    const visitor = new RecordingVisitor(product.url, new Map());
    const cookie = await visitor.signIn(demoPerson("developer").key);
    const app = await visitor.register();
    const started = product.output().length;
    const faults: string[] = [];
    const visit = async (address: string) => {
      const answer = await fetch(`${product.url}${address}`, {
        headers: { cookie },
        redirect: "manual",
      });
      await answer.text();
      if (answer.status >= 500) faults.push(`${answer.status} ${address.slice(0, 300)}`);
    };
    for (const page of pages) {
      const real = page.replace("[clientId]", app.clientId).replace("[acronym]", "TSB");
      for (const value of Object.values(odd)) {
        if (page.includes("[")) await visit(page.replaceAll(/\[\w+\]/g, value));
        const query = [...parameters].map((name) => `${name}=${value}`);
        // The front refuses an address of more than some kilobytes.
        for (let at = 0; at < query.length; at += 40)
          await visit(`${real.replaceAll(/\[\w+\]/g, "x")}?${query.slice(at, at + 40).join("&")}`);
      }
    }
    expect(faults).toEqual([]);
    const optimized = `${product.url}/_next/image?url=%2Fapple-icon.png&w=64&q=75`;
    expect((await fetch(optimized)).status).toBe(404);
    const lines = product.output().slice(started).split("\n").filter(Boolean);
    for (const line of lines) expect(JSON.parse(line)).not.toMatchObject({ msg: "forged" });
  } finally {
    await product.stop();
  }
});
