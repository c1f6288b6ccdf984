import { type SQL, sql } from "drizzle-orm";
import { applications } from "#db/schema/oauth";
import { neededStatements } from "./completeness";

const names = sql.raw(neededStatements.map((name) => `'${name}'`).join(", "));

/** Whether `missingForPlayers` would find nothing, in SQL. A test holds both to the same answer. */
export const isComplete: SQL<boolean> = sql<boolean>`(
  ${applications.clientUri} <> '' and ${applications.tosUri} <> '' and ${applications.privacyUri} <> ''
  and ${applications.privacy} ?& array[${names}]
  and (${applications.kind} = 'public' or cardinality(${applications.redirectUris}) > 0)
)`;
