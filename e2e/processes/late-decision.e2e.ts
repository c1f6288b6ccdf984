import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "drizzle-orm";
import { openPglite } from "#db/pglite";
import { freePort } from "#server/testing/free-port";
import { startProduct } from "#server/testing/product";
import { look } from "../support/look";
import { openClient } from "../support/open-client";
import { beSignedIn } from "../support/sign-in";
import { expect, test } from "../support/test";

test("a request that waited for more than ten minutes says so, in order on every screen and in both themes, and asks again", async ({
  browser,
}) => {
  const DATA_DIR = await mkdtemp(path.join(tmpdir(), "adjutant-late-"));
  const settings = { DATA_DIR, PORT: String(await freePort()) };
  const first = await startProduct(settings);
  const context = await browser.newContext({ baseURL: first.url });
  const developer = await browser.newContext({ baseURL: first.url });
  const client = await openClient(await developer.newPage(), first.url, { name: "Slow Answer" });
  const page = await context.newPage();
  await beSignedIn(page, "member");
  await page.goto((await client.ask()).url);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Slow Answer asks for access");
  const waiting = page.url();
  await first.end("SIGTERM");

  const database = await openPglite(DATA_DIR, () => {});
  await database.query.execute(
    sql`update authorization_requests set created_at = created_at - interval '11 minutes', expires_at = expires_at - interval '11 minutes'`,
  );
  await database.close();

  const second = await startProduct(settings);
  await page.goto(waiting);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This request has expired");
  await look(page, "consent-expired");
  await page.getByRole("link", { name: "Ask me again" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Slow Answer asks for access");
  await Promise.all([context.close(), developer.close()]);
  await second.stop();
  await rm(DATA_DIR, { recursive: true, force: true });
});
