import { sql } from "drizzle-orm";
import { openPostgres } from "#db/client";
import { startPostgres } from "#server/testing/postgres";
import { startProduct } from "#server/testing/product";
import { RecordingVisitor } from "../support/recording-visitor";
import { demoPerson } from "../support/sign-in";
import { expect, test } from "../support/test";

/** More than the pool has connections: some wait for one, and get none. */
const visitors = 12;

test("pages and forms that find every connection in use are answered with 503 and when to come again", async () => {
  const postgres = await startPostgres();
  const settings = {
    DATABASE_URL: postgres.url("postgres"),
    SERVER_SECRET: "only-Tests-use-this-Secret-0123456789-abcdefghijkl",
  };
  const product = await startProduct({ ...settings, JOBS: "off" });
  const visitor = new RecordingVisitor(product.url, new Map());
  const cookie = await visitor.signIn(demoPerson("developer").key);
  const visit = async (path: string) => {
    const answer = await fetch(product.url + path, { headers: { cookie }, redirect: "manual" });
    await answer.text();
    return [answer.status, answer.headers.get("retry-after")];
  };
  expect(await visit("/account")).toEqual([200, null]);

  const outside = openPostgres({ url: postgres.url("postgres"), jobDeadline: 60_000 });
  let letGo = () => {};
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let locked = () => {};
  const isLocked = new Promise<void>((resolve) => {
    locked = resolve;
  });
  const holding = outside.background.transaction(async (tx) => {
    await tx.execute(sql`lock table game_keys in access exclusive mode`);
    locked();
    await released;
  });
  await isLocked;
  const answers = await Promise.all(Array.from({ length: visitors }, () => visit("/account")));
  expect(answers).toEqual(answers.map(() => [503, "5"]));
  letGo();
  await holding;
  expect(await visit("/account")).toEqual([200, null]);
  await outside.close();
  await product.stop();
  await postgres.stop();
});
