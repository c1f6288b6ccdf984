import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { startProduct } from "#server/testing/product";
import { demoPersonOf } from "#simulator/demo-people";
import { RecordingVisitor } from "../support/recording-visitor";
import { expect, test } from "../support/test";

const files = readdirSync("app", { recursive: true, encoding: "utf8" });
const wordsOf = (file: string): string[] => {
  const text = readFileSync(path.join("app", file), "utf8");
  return /readParam|searchParams/i.test(text)
    ? [...text.matchAll(/"([a-z_]{1,20})"/gi)].map(([, word = ""]) => word)
    : [];
};
const sources = files.filter((file) => /\.tsx?$/.test(file) && !file.includes(".test."));
/** The words in quotes of what pages share: among them are the names of the parameters that it reads. */
const shared = sources.filter((file) => /(^|\/)_/.test(file)).flatMap(wordsOf);

/** All pages: the address, with the names of its parts in brackets, and the words among which are its parameters. */
const pages = sources
  .filter((file) => path.basename(file) === "page.tsx" && !file.includes("[..."))
  .map((file) => ({
    page: `/${path
      .dirname(file)
      .replace(/\([^/]*\)\/?/g, "")
      .replace(/^\.$/, "")}`,
    parameters: [...new Set([...wordsOf(file), ...shared])],
  }));

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

/** The front refuses a head of more than 16 KB. */
const longestQuery = 8_000;
const atOnce = 4;

/** Each name with this value, in as few queries as are short enough. */
function queriesOf(names: readonly string[], value: string): string[] {
  const queries: string[] = [];
  for (const name of names) {
    const pair = `${name}=${value}`;
    const last = queries.at(-1);
    if (last !== undefined && last.length + pair.length < longestQuery)
      queries[queries.length - 1] = `${last}&${pair}`;
    else queries.push(pair);
  }
  return queries;
}

const realAddress = (page: string, clientId: string): string =>
  page
    .replace("[clientId]", clientId)
    .replace("[acronym]", "TSB")
    .replaceAll(/\[\w+\]/g, "x");

test("no page answers an odd address with a fault of its own, and each line that it prints is JSON (SC-09)", async () => {
  test.setTimeout(900_000);
  const product = await startProduct({
    ADMIN_USER_IDS: String(demoPersonOf("developer").playerId),
    ADMIN_SECOND_FACTOR: "waived",
    RATE_PAGES: "100000",
    JOBS: "off",
  });
  try {
    const visitor = new RecordingVisitor(product.url, new Map());
    const cookie = await visitor.signIn(demoPersonOf("developer").key);
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
    const addresses = pages
      .flatMap(({ page, parameters }) =>
        Object.values(odd).flatMap((value) => [
          ...(page.includes("[") ? [page.replaceAll(/\[\w+\]/g, value)] : []),
          ...queriesOf(parameters, value).map(
            (query) => `${realAddress(page, app.clientId)}?${query}`,
          ),
        ]),
      )
      .values();
    const visitAll = async () => {
      for (const address of addresses) await visit(address);
    };
    await Promise.all(Array.from({ length: atOnce }, visitAll));
    expect(faults).toEqual([]);
    const optimized = `${product.url}/_next/image?url=%2Fapple-icon.png&w=64&q=75`;
    expect((await fetch(optimized)).status).toBe(404);
    const lines = product.output().slice(started).split("\n").filter(Boolean);
    for (const line of lines) expect(JSON.parse(line)).not.toMatchObject({ msg: "forged" });
  } finally {
    await product.stop();
  }
});
