import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { afterAll, inject } from "vitest";
import { type Database, openPostgres } from "#db/client";
import { openPgliteInMemory } from "#db/pglite";

/** Milliseconds. What a test does not time may take long on a busy machine. */
export const patientDeadline = 20_000;

/**
 * A migrated, empty database of the test file's own, closed after its last test. Call it at the top of a `*.db.test.ts`
 * or `*.pg.test.ts` file: `const database = await testDatabase()`. The vitest project decides which kind it is.
 */
export async function testDatabase(): Promise<Database> {
  const database = await (process.env.TEST_STORE === "postgres"
    ? copyOfPostgres()
    : copyOfPglite());
  afterAll(() => database.close());
  return database;
}

/**
 * The address of a migrated, empty PostgreSQL database of the caller's own, for tests that open it several times, as
 * instances of the server do. For `*.pg.test.ts` files.
 */
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

/** The template's bytes, read once by each worker. A plain Blob copies its bytes at each read. */
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
