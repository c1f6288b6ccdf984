import { expect, test } from "vitest";
import { chatMessages } from "#db/schema/chat";
import { refreshServer } from "#server/chat/refresh-servers";
import { recordEvents } from "#server/event-log/record-events";
import { startChatApi } from "#server/testing/chat-api-double";
import { twoInstances } from "#server/testing/two-instances";
import { mintFaction, mintUser } from "#server/testing/world";
import { addRetaliations } from "../attacks/store";
import { chooseChatServer, linkForDemo, setEventsChannel } from "../chat-link/link-acts";
import { retaliationOpened } from "../events";
import { eventCardsAMinute, postEventCardsJob } from "./show-events";

const api = await startChatApi();
const { here, there } = await twoInstances({ chatBot: api.settings });
const { ctx, clock } = here;
const instances = [here.ctx, there.ctx];
const serverId = 710_000_000_000_000_200n;
const channelId = 710_000_000_000_000_100n;
api.servers.push({
  ...{ id: String(serverId), name: "Hall", owner_id: "7", roles: [], members: [] },
  channels: [{ id: String(channelId), name: "hits", type: 0, position: 0 }],
});
await refreshServer(ctx, serverId);

const run = async (on: typeof ctx) => {
  await postEventCardsJob.run(on, { budget: 0, signal: new AbortController().signal });
  await on.settled();
};
await run(ctx);

async function followed() {
  const { id: factionId } = await mintFaction(ctx);
  await linkForDemo(ctx, { factionId, serverId, channelId, roleIds: [] });
  const leader = await mintUser(ctx, { factionId, factionSeen: ctx.now(), positionName: "Leader" });
  const choice = { channelId, shown: ["hits"] } as const;
  await setEventsChannel(ctx, leader, {
    choice,
    shownBefore: { channelId: null, shown: [] },
  });
  return { factionId, leader };
}
const hit = (on: typeof ctx, factionId: number, code: string) =>
  on.database.transaction(async (tx) => {
    const people = { attackerId: 7, attackerName: "Dane", defenderId: 8, defenderName: "Cleo" };
    await addRetaliations(tx, factionId, [{ code, attackEnded: ctx.now(), ...people }]);
    await recordEvents(on, tx, [{ type: retaliationOpened, subject: code, factionId }]);
  });

test("hits that two instances record while both read the log are posted once each, and counted once beyond what is shown", async () => {
  const { factionId } = await followed();
  const hits = eventCardsAMinute + 15;
  await Promise.all([
    ...Array.from({ length: hits }, (_, turn) =>
      hit(instances[turn % 2] ?? ctx, factionId, `both-${turn}`),
    ),
    ...Array.from({ length: 30 }, (_, turn) => run(instances[turn % 2] ?? ctx)),
  ]);
  for (const instance of instances) {
    await instance.settled();
    await instance.events.sequencer.run();
    await run(instance);
  }
  expect(api.posted()).toBe(eventCardsAMinute + 1);
  expect(JSON.stringify(api.messages)).toContain('"title":"15 more"');
});

test("a process that dies after it queued, and before it moved its position, leaves nothing; the next one posts each hit once", async () => {
  clock.advance(60);
  const { factionId } = await followed();
  const posted = api.posted();
  const before = await ctx.database.query.$count(chatMessages);
  await hit(ctx, factionId, "dying");
  await ctx.settled();
  await ctx.database.script(`
    create function die() returns trigger language plpgsql as $$
      begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$;
    create trigger die before update on app_state for each row when (old.key = 'log-reader:event-cards') execute function die();`);
  await expect(run(there.ctx)).rejects.toThrow();
  expect(await ctx.database.query.$count(chatMessages)).toBe(before);
  await ctx.database.script("drop trigger die on app_state; drop function die()");
  await Promise.all(instances.map(run));
  expect(api.posted()).toBe(posted + 1);
});

test("whichever comes first, the end of a link or the reader, nothing is posted once the link has ended", async () => {
  for (let round = 0; round < 12; round++) {
    clock.advance(60);
    const { factionId, leader } = await followed();
    await hit(ctx, factionId, `ending-${round}`);
    await ctx.settled();
    api.fail({ when: "POST /channels", status: 503 });
    await Promise.all([
      run(there.ctx),
      chooseChatServer(ctx, leader, { serverId: null, shown: serverId }),
    ]);
  }
  const subjects = (await ctx.database.query.select().from(chatMessages)).map(
    ({ subject }) => subject,
  );
  expect(subjects.filter((subject) => subject.startsWith("retaliation:ending"))).toEqual([]);
});
