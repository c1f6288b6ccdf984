import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import { type AuditSearchTerms, listAuditEvents } from "./store";

const database = await testDatabase();
const nothing: AuditSearchTerms = { acts: [], accountIds: [], clientIds: [], words: [] };

await database.script(`
  insert into audit_log (at, act, actor, request_id, address, details)
    select now() - n * interval '1 second',
      case when n % 10 = 0 then 'webhook.added' else 'token.refreshed' end,
      'operator', 'request-' || n, '2001:db8::' || to_hex(n), jsonb_build_object('url', 'host' || n)
    from generate_series(1, 20000) n;
  analyze audit_log;`);

test.each<[string, AuditSearchTerms]>([
  ["words", { ...nothing, words: ["host100"] }],
  ["an address", { ...nothing, address: "2001:db8::64" }],
  ["a request id", { ...nothing, requestId: "request-100" }],
])("a search for %s among many events reads an index", async (_, search) => {
  const { sql: text, params } = listAuditEvents(database.query, { search }, 50).toSQL();
  const values = params.map((value) => (typeof value === "string" ? `'${value}'` : String(value)));
  const filled = text.replaceAll(/\$(\d+)/g, (_sign, at: string) => values[Number(at) - 1] ?? "");
  const lines = (await database.query.execute(sql.raw(`explain ${filled}`))) as unknown as {
    "QUERY PLAN": string;
  }[];
  const plan = lines.map((line) => line["QUERY PLAN"]).join("\n");
  expect(plan).toMatch(/Index Cond: .*(@@|address|request_id)/);
  expect(plan).not.toMatch(/Seq Scan on audit_log_default/);
  expect((await listAuditEvents(database.query, { search }, 50)).length).toBeGreaterThan(0);
});
