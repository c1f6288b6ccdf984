import { type Database, openPostgres } from "#db/client";
import { rotateRefreshTokens } from "#server/oauth/grants/refresh-store";

interface Prepared {
  getQuery(): { sql: string; params: unknown[] };
}

/** Client `:client_id` moves from token `:n` to the next. pgbench takes a colon for a variable, also between quotes. */
const token = (kind: string, step: string) =>
  `'${kind}-' || (:r)::text || '-' || (:client_id)::text || '-' || (${step})::text`;

/** One request as the product sends it, made by PostgreSQL itself. */
const requests = (clientId: string) => {
  const fields: Readonly<Record<string, string>> = {
    presented: token("bench", "(:n)::int"),
    client_id: `'${clientId}'`,
    requested: "null",
    access: token("access", "(:n)::int"),
    refresh: token("bench", "(:n)::int + 1"),
    key_id: "'bench'",
    sealed: `'${"x".repeat(200)}'`,
    until: "now() + interval '6 seconds'",
    access_seconds: "3600",
    refresh_seconds: "2592000",
    request_id: "'bench'",
    address: "'127.0.0.1'",
  };
  const pairs = Object.entries(fields).map(([name, value]) => `'${name}', ${value}`);
  return `json_build_array(json_build_object(${pairs.join(", ")}))`;
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
  const rotation = {
    presentedHash: "",
    clientId,
    requested: null,
    access: print,
    refresh: print,
    sealedReply: "",
  };
  const rest = {
    requestTime: { at: now, until: now },
    accessSeconds: 3_600,
    refreshSeconds: 2_592_000,
    from: { requestId: "", address: null, userAgent: null },
  };
  await rotateRefreshTokens(listening, [{ ...rotation, ...rest }]);
  await database.close();
  const query = seen[0]?.getQuery();
  if (query?.params.length !== 1)
    throw new Error("The store sent another statement for a refresh than the benchmark knows.");
  return query.sql.replaceAll("$1", requests(clientId)).replaceAll(/\s*\n\s*/g, " ");
}
