import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { afterAll, inject } from "vitest";
import { type Database, openPostgres } from "#db/client";
import { openPgliteInMemory } from "#db/pglite";

/** Milliseconds. Generous, because machines are busy and no test measures it. */
export const patientDeadline = 20_000;

/**
 * A migrated, empty database per test file, closed after its last test; the vitest project selects
 * the kind. Call it at the top of a `*.db.test.ts` or `*.pg.test.ts` file: `const database = await
 * testDatabase()`.
 */
export async function testDatabase(): Promise<Database> {
  const database = await (process.env.TEST_STORE === "postgres"
    ? copyOfPostgres()
    : copyOfPglite());
  afterAll(() => database.close());
  return database;
}

/** For `*.pg.test.ts` files that open one database several times, as instances do. */
export const testPostgresUrl = (): Promise<string> => postgresUrl(inject("postgresTemplate"));

async function postgresUrl(template: string): Promise<string> {
  const admin = openPostgres({ url: inject("postgresAdmin"), pools: { general: 1 } });
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await admin.script(`create database ${name} template ${template}`);
  await admin.close();
  const url = new URL(inject("postgresAdmin"));
  url.pathname = `/${name}`;
  return url.href;
}

async function copyOfPostgres(): Promise<Database> {
  return openPostgres({ url: await testPostgresUrl(), deadline: patientDeadline });
}

/** Read once per worker. A plain Blob copies its bytes on every read. */
class Template extends Blob {
  static #bytes: Promise<ArrayBuffer> | undefined;

  override arrayBuffer(): Promise<ArrayBuffer> {
    Template.#bytes ??= readFile(inject("pgliteTemplate")).then(
      (bytes) => new Uint8Array(bytes).buffer,
    );
    return Template.#bytes;
  }
}

const copyOfPglite = (): Promise<Database> => openPgliteInMemory(new Template());
