import type { TestProject } from "vitest/node";
import { openPostgres } from "#db/client";
import { migrateTemplate } from "./migrate-template";
import { startPostgres } from "./postgres";

declare module "vitest" {
  interface ProvidedContext {
    postgresAdmin: string;
    postgresTemplate: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  const template = "adjutant_template";
  const admin = openPostgres({ url: server.url("postgres") });
  await admin.script(`create database ${template}`);
  await admin.close();
  const database = openPostgres({ url: server.url(template) });
  await migrateTemplate(database);
  await database.close();
  project.provide("postgresAdmin", server.url("postgres"));
  project.provide("postgresTemplate", template);
  return server.stop;
}
