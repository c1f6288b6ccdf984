import { expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { testPostgresUrl } from "#server/testing/database";
import { readEvents, untilTold } from "#server/testing/event-reader";
import { eventWorld, serveFront } from "#server/testing/event-world";
import { testContext } from "#server/testing/test-context";

test("a log that was restored, and has grown past a reader's position before the reader comes back, is told from one that went on", async () => {
  const url = await testPostgresUrl();
  const here = await testContext({ database: openPostgres({ url }) });
  const { ctx, clock } = here;
  const { url: original } = await serveFront(ctx);
  const { member, happen } = await eventWorld(ctx);
  const { token } = await member();
  const hit = async (subject: string, on = ctx) => {
    clock.advance(1);
    await happen(subject, on);
    await on.settled();
  };
  const list = async (at: string, query = "") => {
    const answer = await fetch(`${at}/api/v1/events${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return { status: answer.status, json: JSON.parse(await answer.text()) };
  };
  await hit("kept");
  const { cursor: kept } = (await list(original)).json;

  // The backup: all connections to the database end for as long as it is copied.
  const admin = openPostgres({ url: new URL("/postgres", url).href });
  const name = new URL(url).pathname.slice(1);
  const copy = async () => {
    await admin.script(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
    await admin.script(`create database ${name}_restored template ${name}`);
  };
  await expect.poll(() => copy().then(() => "copied", String)).toBe("copied");
  for (const subject of ["lost", "lost too"])
    await expect
      .poll(() =>
        hit(subject).then(
          () => 1,
          () => 0,
        ),
      )
      .toBe(1);
  const { cursor: lost } = (await list(original)).json;

  const restored = openPostgres({ url: new URL(`/${name}_restored`, url).href });
  const there = await testContext({ database: restored, beside: here });
  const { url: at } = await serveFront(there.ctx);
  for (const subject of ["one", "two", "three", "four"]) await hit(subject, there.ctx);
  expect(await list(at, `?after=${lost}`)).toMatchObject({
    status: 400,
    json: { details: { reason: "restored" } },
  });
  const reader = await readEvents(at, token, { headers: { "last-event-id": lost } });
  await hit("five", there.ctx);
  await untilTold(reader, "five");
  expect(reader.frames[0]).toMatchObject({ event: "reset", data: { reason: "restored" } });
  reader.close();
  const page = (await list(at, `?after=${kept}`)).json;
  const subjects = page.events.map(
    ({ data }: { data: { subject: { id: string } } }) => data.subject.id,
  );
  expect(subjects).toEqual(["one", "two", "three", "four", "five"]);
  await Promise.all([admin.close(), restored.close(), ctx.database.close()]);
});
