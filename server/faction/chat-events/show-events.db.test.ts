import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { chatMessages } from "#db/schema/chat";
import { eventInbox } from "#db/schema/events";
import { organizedCrimeDelays, organizedCrimes, retaliations } from "#db/schema/faction";
import { factions } from "#db/schema/players";
import { deliverDue } from "#server/chat/deliver-message";
import { refreshServer } from "#server/chat/refresh-servers";
import { recordEvents } from "#server/event-log/record-events";
import { type DoubleServer, startChatApi } from "#server/testing/chat-api-double";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { mintFaction, mintPlayer, mintUser } from "#server/testing/world";
import { addRetaliations, closeUnanswered } from "../attacks/store";
import { chooseChatServer, linkForDemo, setEventsChannel } from "../chat-link/link-acts";
import { crimeDelayed, crimeResumed, retaliationClosed, retaliationOpened } from "../events";
import { eventCardsAMinute, postEventCardsJob, stopEventCards } from "./show-events";

const api = await startChatApi();
const database = await testDatabase();
const { ctx, clock } = await testContext({
  database,
  settings: { chatBot: api.settings, demo: "off" },
});
const on = database.query;
const serverId = 1_234_567_890_123_456_789n;
const channelId = 1_234_567_890_123_456_711n;
const otherChannel = 1_234_567_890_123_456_713n;
const hall: DoubleServer = {
  id: String(serverId),
  name: "The Hall",
  owner_id: "1234567890123456701",
  roles: [],
  members: [],
  channels: [channelId, otherChannel].map((id) => ({
    id: String(id),
    name: `hits-${id}`,
    type: 0,
    position: 0,
  })),
};
api.servers.push(hall);
await refreshServer(ctx, serverId);

const run = async () => {
  const counts = await postEventCardsJob.run(ctx, {
    budget: 0,
    signal: new AbortController().signal,
  });
  await ctx.settled();
  return counts;
};
await run();

beforeEach(() => {
  clock.advance(60);
  api.messages.splice(0);
});

const nothing = { channelId: null, shown: [] } as const;
async function world(shown: ("hits" | "delays")[] = ["hits", "delays"]) {
  const { id: factionId } = await mintFaction(ctx);
  await linkForDemo(ctx, { factionId, serverId, channelId: otherChannel, roleIds: [] });
  const leader = await mintUser(ctx, { factionId, factionSeen: ctx.now(), positionName: "Leader" });
  if (shown.length > 0)
    await setEventsChannel(ctx, leader, {
      choice: { channelId, shown },
      shownBefore: nothing,
    });
  const defender = await mintPlayer(ctx, { factionId, factionSeen: ctx.now(), name: "Cleo_Marsh" });
  let hits = 0;
  const hit = async () => {
    const code = `${factionId}-${hits++}`;
    const hitAt = { attackEnded: ctx.now(), attackerId: 2_400_007, attackerName: "Dane_*Cutter*" };
    await database.transaction(async (tx) => {
      await addRetaliations(tx, factionId, [
        { code, ...hitAt, defenderId: defender.id, defenderName: defender.name },
      ]);
      await recordEvents(ctx, tx, [{ type: retaliationOpened, subject: code, factionId }]);
    });
    await ctx.settled();
    return code;
  };
  const close = async (subject: string, reason: "answered" | "expired") => {
    await database.transaction(async (tx) => {
      if (reason === "expired")
        await closeUnanswered(tx, { before: ctx.now(), now: ctx.now(), limit: 100 });
      else
        await tx
          .update(retaliations)
          .set({ answeredAt: ctx.now() })
          .where(eq(retaliations.code, subject));
      await recordEvents(ctx, tx, [
        { type: retaliationClosed, subject, factionId, data: { reason } },
      ]);
    });
    await ctx.settled();
  };
  return { factionId, leader, defender, hit, close };
}
type Embed = { title: string; description: string; fields: { name: string; value: string }[] };
const embedOf = ({ body }: { body: Record<string, unknown> }) => (body.embeds as Embed[])[0];
const titles = () => api.messages.map((message) => embedOf(message)?.title);
const queued = async (subject: string) =>
  (await on.select().from(chatMessages).where(eq(chatMessages.subject, subject)))[0];

describe("hits", () => {
  test("a hit is shown in the chosen channel with the time to answer it and the attacker's page, and edited when it is answered", async () => {
    const { hit, close } = await world();
    const code = await hit();
    const struck = Math.floor(ctx.now().getTime() / 1_000);
    await run();
    expect(titles()).toEqual(["Cleo\\_Marsh was hit"]);
    const [message] = api.messages;
    expect(message?.channel).toBe(String(channelId));
    expect(message && embedOf(message)?.fields).toMatchObject([{ value: `<t:${struck + 300}:R>` }]);
    expect(message?.body.allowed_mentions).toEqual({ parse: [], roles: [] });
    expect(JSON.stringify(message?.body)).toContain(
      "https://www.torn.com/profiles.php?XID=2400007",
    );
    expect(JSON.stringify(message?.body)).not.toContain(" *");
    clock.advance(10);
    await close(code, "answered");
    await run();
    expect(titles()).toEqual(["Cleo\\_Marsh was hit: retaliated"]);
    expect(message?.body.components).toEqual([]);
  });

  test("a hit that nobody answered is edited to say so", async () => {
    const { hit, close } = await world();
    const code = await hit();
    await run();
    clock.advance(301);
    await close(code, "expired");
    await run();
    expect(titles()).toEqual(["Cleo\\_Marsh was hit: too late"]);
  });

  test("after a long stop a hit that is over is not shown; one that is open is", async () => {
    const { hit, close } = await world();
    await hit();
    const told = await hit();
    clock.advance(301);
    await close(told, "expired");
    const answered = await hit();
    await close(answered, "answered");
    await hit();
    await run();
    expect(titles()).toEqual(["Cleo\\_Marsh was hit"]);
  });

  test("a hit that ended while the chat was away is not posted when the chat is back", async () => {
    const { hit, close } = await world();
    const code = await hit();
    api.fail({ when: "POST /channels", status: 503 });
    await run();
    expect(await queued(`retaliation:${code}`)).toMatchObject({ attempts: 1, messageId: null });
    clock.advance(301);
    await close(code, "expired");
    await run();
    expect(await queued(`retaliation:${code}`)).toBeUndefined();
    expect(api.messages).toEqual([]);
  });

  test("what the log has not numbered yet is shown when it has, and once", async () => {
    const { hit, factionId } = await world();
    await hit();
    const late = `${factionId}-late`;
    await addRetaliations(on, factionId, [
      {
        code: late,
        attackEnded: ctx.now(),
        attackerId: 7,
        attackerName: "Late",
        defenderId: 8,
        defenderName: "Lea",
      },
    ]);
    await on.insert(eventInbox).values({
      ...{
        id: ctx.ids.uuid(),
        type: "retaliation.opened",
        scope: "faction:attacks",
        at: ctx.now(),
        subject: late,
      },
      ...{ factionId, data: {} },
    });
    await run();
    expect(titles()).toEqual(["Cleo\\_Marsh was hit"]);
    await ctx.events.sequencer.run();
    await run();
    await run();
    expect(titles()).toEqual(["Cleo\\_Marsh was hit", "Lea was hit"]);
  });

  test("of very many in one minute some are shown, and one message counts the others", async () => {
    const { hit } = await world();
    for (let turn = 0; turn < eventCardsAMinute + 3; turn++) await hit();
    await run();
    for (let turn = 0; turn < 4; turn++) await hit();
    await run();
    expect(api.messages).toHaveLength(eventCardsAMinute + 1);
    expect(titles().at(-1)).toBe("7 more");
    clock.advance(60);
    await hit();
    await run();
    expect(api.messages).toHaveLength(eventCardsAMinute + 2);
  });
});

describe("delayed crimes", () => {
  let crimes = 1_400_000;
  async function delayed(of: Awaited<ReturnType<typeof world>>) {
    const crimeId = crimes++;
    const { factionId, defender } = of;
    const at = ctx.now();
    await on.insert(organizedCrimes).values({
      ...{ id: crimeId, factionId, name: "Break the Bank" },
      ...{ lastSeen: at, delayedSince: at },
    });
    const slot = {
      slot: "P1",
      position: "Lookout",
      positionIndex: 2,
      reason: "In hospital for 12 mins",
    };
    await on
      .insert(organizedCrimeDelays)
      .values({ crimeId, factionId, playerId: defender.id, seenAt: at, ...slot });
    await tell(crimeDelayed, crimeId, factionId);
    return crimeId;
  }
  const tell = async (type: typeof crimeDelayed, subject: number, factionId: number) => {
    await database.transaction((tx) => recordEvents(ctx, tx, [{ type, subject, factionId }]));
    await ctx.settled();
  };
  const resume = async (crimeId: number, factionId: number) => {
    await on
      .update(organizedCrimes)
      .set({ delayedSince: null })
      .where(eq(organizedCrimes.id, crimeId));
    await tell(crimeResumed, crimeId, factionId);
  };

  test("a crime is shown with who holds it up and why, and edited when it goes on", async () => {
    const faction = await world();
    const crimeId = await delayed(faction);
    await run();
    expect(titles()).toEqual(["OC delayed: Break the Bank"]);
    const [message] = api.messages;
    const words = `Cleo\\_Marsh \\[${faction.defender.id}\\], Lookout #2: In hospital for 12 mins`;
    expect(message && embedOf(message)?.description).toContain(words);
    await resume(crimeId, faction.factionId);
    await run();
    expect(titles()).toEqual(["OC resumed: Break the Bank"]);
  });

  test("one that goes on before it was shown, and one of hours ago, is not shown", async () => {
    const faction = await world();
    await resume(await delayed(faction), faction.factionId);
    await delayed(faction);
    clock.advance(2 * 3_600);
    await run();
    expect(api.messages).toEqual([]);
  });

  test("a faction that chose one kind is shown that kind alone", async () => {
    const hitsAlone = await world(["hits"]);
    await delayed(hitsAlone);
    await hitsAlone.hit();
    const delaysAlone = await world(["delays"]);
    await delayed(delaysAlone);
    await delaysAlone.hit();
    await (await world([])).hit();
    await run();
    expect(titles().sort()).toEqual(["Cleo\\_Marsh was hit", "OC delayed: Break the Bank"]);
  });
});

describe("the end of a link", () => {
  test("nothing is shown after it, and what waits for the chat is taken back", async () => {
    const { hit, leader, factionId } = await world();
    const code = await hit();
    api.fail({ when: "POST /channels", status: 503, times: 1 });
    await run();
    expect(await queued(`retaliation:${code}`)).toBeDefined();
    await chooseChatServer(ctx, leader, { serverId: null, shown: serverId });
    expect(await queued(`retaliation:${code}`)).toBeUndefined();
    await hit();
    await run();
    // Naming the server again, which still lists the faction, makes the link whole; the choice is not there any more.
    await chooseChatServer(ctx, leader, { serverId, shown: null });
    await hit();
    await run();
    clock.advance(600);
    await deliverDue(ctx);
    expect(api.messages).toEqual([]);
    const [row] = await on.select().from(factions).where(eq(factions.id, factionId));
    expect(row).toMatchObject({ eventsChannelId: null, eventsShown: [] });
  });

  test("is not brought about by another server that takes the faction off its list", async () => {
    const { factionId, hit } = await world();
    await hit();
    api.fail({ when: "POST /channels", status: 503 });
    await run();
    await stopEventCards(ctx, on, { serverId: 5n, factionId });
    await hit();
    await run();
    clock.advance(20);
    await deliverDue(ctx);
    expect(api.messages).toHaveLength(2);
  });
});
