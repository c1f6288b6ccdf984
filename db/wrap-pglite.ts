import type { PGlite } from "@electric-sql/pglite";
import { drizzle as drizzlePglite } from "drizzle-orm/pglite";
import { type Database, notifySql, type Queryable, schemaOptions, statements, transactionOn } from "./client";
import { openOutages } from "./outages";

/** Wraps an open PGlite. It has one connection, so all roles of the handle are the same. */
export function wrapPglite(pglite: PGlite): Database {
  const query = drizzlePglite(pglite, schemaOptions) as unknown as Queryable;
  const access = { query, transaction: transactionOn(query) };
  const statement = statements({ query, keyPool: query, tokenPool: access });
  const script = async (text: string) => {
    await pglite.exec(text);
  };
  return {
    kind: "pglite",
    ...access,
    keyPool: query,
    tokenPool: access,
    background: { ...access, statement },
    statement,
    outages: openOutages(),
    pools: () => ({}),
    script,
    serverTime: async () => new Date(),
    notify: async (on, channel, payload) => {
      await on.execute(notifySql(channel, payload));
    },
    listen: async (channel, hear) => {
      await pglite.listen(channel, hear);
    },
    exclusively: (_lock, work) => work({ ...access, script }),
    dump: () => pglite.dumpDataDir("gzip"),
    close: () => pglite.close(),
  };
}
