import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { testPostgresUrl } from "#server/testing/database";
import { type EventReader, readEvents } from "#server/testing/event-reader";
import { eventWorld } from "#server/testing/event-world";
import { type Instance, prepareInstances } from "#server/testing/instances";
import { testContext } from "#server/testing/test-context";

const serverSecret = "killed-streams-share-this-Server-Secret-0123456789-abcdef";
const url = await testPostgresUrl();
const database = openPostgres({ url });
const { ctx, clock } = await testContext({ database, settings: { serverSecret } });
clock.set(new Date());
const instances = await prepareInstances();
afterAll(async () => {
  instances.remove();
  await database.close();
});
const start = () =>
  instances.start({
    DATABASE_URL: url,
    SERVER_SECRET: serverSecret,
    RATE_HOLDER: "100000",
    DEMO: "0",
  });

test("kill -9 of the instance that a stream is at: the reader goes on at another where it was, without a gap and without a repetition", async () => {
  const { member, happen } = await eventWorld(ctx, 910_001);
  const { token } = await member();
  clock.set(new Date(Date.now() + 1_000));
  const pair: Instance[] = [await start(), await start()];
  const told: string[] = [];
  let reader: EventReader | undefined;
  let position = "";
  let happened = 0;
  let writing = true;
  const writer = (async () => {
    while (writing) {
      await happen(`event ${happened++}`);
      clock.set(new Date(Date.now() + 1_000));
      await wait(5);
    }
  })();
  for (let round = 0; round < 6; round++) {
    const at = pair[round % 2];
    reader = await readEvents(
      at?.url ?? "",
      token,
      position ? { headers: { "last-event-id": position } } : {},
    );
    expect(reader.status).toBe(200);
    const { subjects } = reader;
    await expect.poll(() => subjects().length).toBeGreaterThan(20);
    await at?.kill();
    await reader.closed;
    told.push(...subjects());
    position = reader.lastId() ?? "";
    pair[round % 2] = await start();
  }
  writing = false;
  await writer;
  const first = Number(told[0]?.split(" ")[1]);
  expect(told).toEqual(told.map((_, at) => `event ${first + at}`));
  expect(told.length).toBeGreaterThan(120);
});
