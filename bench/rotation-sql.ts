import { is, Placeholder } from "drizzle-orm";
import { type Database, openPostgres } from "#db/client";
import { rotate } from "#server/oauth/grants/refresh-store";

interface Prepared {
  getQuery(): { sql: string; params: unknown[] };
}

/** What stands for each parameter in a pgbench script: client `:client_id` moves from token `:n` to the next. */
const token = (kind: string, step: string) =>
  `('${kind}-' || (:r)::text || '-' || (:client_id)::text || '-' || (${step})::text)`;
const values: Readonly<Record<string, string>> = {
  presentedHash: token("bench", "(:n)::int"),
  refreshHash: token("bench", "(:n)::int + 1"),
  accessHash: token("access", "(:n)::int"),
  keyId: "'bench'",
  sealedReply: `'${"x".repeat(200)}'`,
  wished: "null",
  now: "now()",
  accessExpiresAt: "now() + interval '1 hour'",
  refreshExpiresAt: "now() + interval '30 days'",
  // pgbench takes a colon for a variable, also between quotes.
  actor: "'bench'",
  requestId: "'bench'",
  address: "'127.0.0.1'",
};

/** The statement that the product sends for a refresh, taken from its store, as a line of a pgbench script. */
export async function rotationSql(databaseUrl: string, clientId: string): Promise<string> {
  const database = openPostgres({ url: databaseUrl });
  const seen: Prepared[] = [];
  const listening: Database = {
    ...database,
    statement: <S>(_name: string, build: (on: Database) => S): S => {
      seen.push(build(database) as S & Prepared);
      return { execute: async () => [] } as S;
    },
  };
  const print = { hash: "", keyId: "" };
  const now = new Date();
  await rotate(listening, {
    ...{ presentedHash: "", clientId, wished: null, access: print, refresh: print, sealedReply: "", now },
    ...{ accessExpiresAt: now, refreshExpiresAt: now, origin: { requestId: "", address: null } },
  });
  await database.close();
  const query = seen[0]?.getQuery();
  if (!query) throw new Error("The store sent no prepared statement for a refresh.");
  const known: Readonly<Record<string, string>> = { ...values, clientId: `'${clientId}'` };
  const value = (place: number): string => {
    const parameter = query.params[place - 1];
    const name = is(parameter, Placeholder) ? parameter.name : "";
    const found = known[name];
    if (found === undefined) throw new Error(`The statement has a parameter that the benchmark does not know: ${name}`);
    return `(${found})`;
  };
  return query.sql.replaceAll(/\$(\d+)/g, (_, place: string) => value(Number(place))).replaceAll(/\s*\n\s*/g, " ");
}
