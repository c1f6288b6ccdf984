import { openPostgres } from "#db/client";
import { startPostgres } from "#server/testing/postgres";
import { startProduct } from "#server/testing/product";
import { demoPersonOf } from "#simulator/demo-people";
import { RecordingVisitor } from "../support/recording-visitor";
import { expect, test } from "../support/test";

test("each line that a process prints is one JSON line, whatever a visitor sends to a page that fails (SC-09)", async () => {
  test.setTimeout(900_000);
  const postgres = await startPostgres();
  const database = openPostgres({ url: postgres.url("postgres") });
  const product = await startProduct({
    DATABASE_URL: postgres.url("postgres"),
    SERVER_SECRET: "only-Tests-use-this-Secret-0123456789-abcdefghijkl",
    JOBS: "off",
  });
  try {
    const visitor = new RecordingVisitor(product.url, new Map());
    const cookie = await visitor.signIn(demoPersonOf("developer").key);
    const started = product.output().length;
    const visit = async (path: string) => {
      const answer = await fetch(`${product.url}${path}`, { headers: { cookie } });
      await answer.text();
      return answer.status;
    };
    const forged = 'hush\n{"level":50,"msg":"forged"}\r\n\u0000\u2028';
    const query = `q=${encodeURIComponent(forged)}`;
    expect(await visit(`/players?${query}`)).toBe(200);
    await database.script("alter table players rename column name to former_name");
    for (const path of [`/players?${query}`, "/account"]) expect(await visit(path)).toBe(500);
    const trpc = encodeURIComponent(JSON.stringify({ json: { text: forged } }));
    await visit(`/api/trpc/applications.get?input=${trpc}`);

    const lines = product.output().slice(started).split("\n").filter(Boolean);
    expect(lines.length).toBeGreaterThan(1);
    const said = lines.map((line) => JSON.parse(line) as { msg: string });
    expect(said.map(({ msg }) => msg)).not.toContain("forged");
    expect(said.map(({ msg }) => msg)).toContain("a portal call failed");
    expect(lines.join("\n")).not.toContain("hush");
  } finally {
    await product.stop();
    await database.close();
    await postgres.stop();
  }
});
