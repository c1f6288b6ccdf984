import { setImmediate as letOthersRun } from "node:timers/promises";
import { linkChatAccount } from "#server/auth/chat/chat-sign-in";
import { demoBankingChannel, demoChatServer } from "#server/chat/client";
import { refreshServer } from "#server/chat/refresh-servers";
import type { Context } from "#server/context";
import { linkForDemo } from "#server/faction/chat-link/link-acts";
import { refreshAfterSignIn } from "#server/faction/read-factions";
import { refreshFactionMembers } from "#server/faction/refresh-members";
import { chooseSharingForDemo } from "#server/faction/scores";
import { appointDemoDeciders } from "#server/oauth/faction-access/decide-access";
import { minuteMs } from "#server/platform/time";
import { refreshOpponents } from "#server/stats/estimates/read-opponents";
import { renewModel } from "#server/stats/estimates/renew-model";
import { enrolPlayer } from "#server/users/enrol-player";
import { findStoredKey } from "#server/users/keys/own-keys";
import { demoFactions, demoPeople } from "#simulator/demo-people";
import type { SimulatorControl } from "#simulator/simulator";
import { registerProven } from "./demo-applications";
import { demoPlayerOf, demoRequestSource, runUnlessRefused } from "./demo-user";
import { countDemoData } from "./store";

/**
 * Gives a fresh installation its first data. The people lend their keys; stored keys are skipped.
 * @returns true if any person is new
 */
export async function enrolDemoPeople(ctx: Context): Promise<boolean> {
  let newcomers = 0;
  for (const { factionId } of demoFactions) await chooseSharingForDemo(ctx, factionId);
  for (const { key } of demoPeople)
    newcomers += Number(await enrol(ctx, { gameKey: key, readsFaction: true }));
  // Done only in a new world, so that links and applications that visitors removed stay removed.
  if (newcomers > 0) {
    await linkDemoChat(ctx);
    await linkDemoDeveloper(ctx);
    for (const { factionId } of demoFactions) await appointDemoDeciders(ctx, factionId);
    await runUnlessRefused(ctx, () => registerProven(ctx));
  }
  return newcomers > 0;
}

/**
 * This many factions usually have enough fights for `minTrainingPlayers`; more would use up the
 * calls of a minute.
 */
export const firstFactionCount = 30;
export const moreFactionCount = 4;

/**
 * Holders with access to fights come last, because scores from fights need own scores.
 * @param plan.factions total, including earlier runs
 * @returns the number of new players
 */
export async function enrolResidents(
  ctx: Context,
  game: SimulatorControl,
  { factions, signal }: { readonly factions: number; readonly signal: AbortSignal },
): Promise<number> {
  let newcomers = 0;
  const holders = game.keyHolders().filter(({ factionId }) => factionId !== null);
  const readable = new Set(
    holders.filter(({ readsFaction }) => readsFaction).map(({ factionId }) => factionId),
  );
  for (const factionId of [...readable].slice(0, factions)) {
    await chooseSharingForDemo(ctx, factionId ?? 0);
    const own = holders.filter((holder) => holder.factionId === factionId);
    const inOrder = [...own].sort(
      (one, other) => Number(one.readsFaction) - Number(other.readsFaction),
    );
    for (const { key, readsFaction } of inOrder)
      if (!signal.aborted) newcomers += Number(await enrol(ctx, { gameKey: key, readsFaction }));
  }
  return newcomers;
}

async function enrol(
  ctx: Context,
  { gameKey, readsFaction }: { gameKey: string; readsFaction: boolean },
) {
  // The embedded database and the simulated game never yield the event loop, so requests would wait
  // until the whole enrolment is done.
  await letOthersRun();
  if (await findStoredKey(ctx, gameKey)) return false;
  const info = await ctx.game.keyInfo(gameKey);
  const { key } = await enrolPlayer(ctx, {
    gameKey,
    info,
    turnOn: "lendsKey",
    from: demoRequestSource,
  });
  const { factionId } = info;
  if (!key || !readsFaction) return true;
  // The scores are made public before the fights are read, because the model trains on public
  // scores.
  if (factionId !== null && !(await chooseSharingForDemo(ctx, factionId))) {
    await refreshFactionMembers(ctx, factionId, { key, priority: "high" });
    await chooseSharingForDemo(ctx, factionId);
  }
  await refreshAfterSignIn(ctx, { factionId, key });
  return true;
}

/** Calls of one attempt, out of 900 per minute. */
const readAtOnce = 220;
/** Milliseconds. The model needs almost every fought player, so failures are retried soon. */
const triedAgainAfter = minuteMs / 2;

/**
 * Does the work of the jobs at once.
 * @returns false with too little training data, as after timeouts
 */
export async function trainFirstModel(ctx: Context, signal: AbortSignal): Promise<boolean> {
  if ((await countDemoData(ctx.database.query)).models > 0) return true;
  await refreshOpponents(ctx, { budget: readAtOnce, signal }, triedAgainAfter);
  return (await renewModel(ctx)).outcome !== "too-few";
}

export async function linkDemoChat(ctx: Context): Promise<void> {
  if (ctx.settings.chatBot) return;
  const [{ factionId }] = demoFactions;
  await refreshServer(ctx, demoChatServer.serverId);
  await linkForDemo(ctx, { factionId, serverId: demoChatServer.serverId, ...demoBankingChannel });
}

async function linkDemoDeveloper(ctx: Context): Promise<void> {
  const { accountId, ...player } = await demoPlayerOf(ctx, "developer");
  if (ctx.settings.chatBot || accountId === null) return;
  await linkChatAccount(ctx, { ...player, accountId }, { chatId: demoChatServer.ownerId });
}
