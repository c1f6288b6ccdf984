import { setImmediate as letOthersRun } from "node:timers/promises";
import type { Origin } from "#server/audit/audit";
import { demoBankingChannel, demoChatServer } from "#server/chat/create-chat";
import { refreshServer } from "#server/chat/refresh-servers";
import type { Context } from "#server/context";
import { linkBothSides } from "#server/faction/chat-link/linking";
import { refreshAfterSignIn } from "#server/faction/refresh-after-sign-in";
import { refreshFactionMembers } from "#server/faction/refresh-members";
import { chooseForDemo } from "#server/faction/scores/faction-scores";
import { minuteMs } from "#server/platform/time";
import { readFoughtPlayers } from "#server/stats/estimates/read-opponents";
import { renewModel } from "#server/stats/estimates/renew-model";
import { enrolPlayer } from "#server/users/enrol-player";
import { isKeyKnown } from "#server/users/keys/own-keys";
import { demoFactions, demoPeople } from "#simulator/demo-people";
import type { SimulatorControl } from "#simulator/journal";
import { countWhatWasRead } from "./store";

/** What the demo does for its people comes from no request. */
export const demoOrigin: Origin = { requestId: "demo", address: null };

/**
 * Makes the demo people known by the same verbs as a sign-in, so that the first call to a fresh installation finds data.
 * They lend their keys for public data. Whose key is stored already is left alone.
 * @returns whether any of them is new
 */
export async function enrolDemoPeople(ctx: Context): Promise<boolean> {
  let newcomers = 0;
  for (const { factionId } of demoFactions) await chooseForDemo(ctx, factionId);
  for (const { key } of demoPeople)
    newcomers += Number(await enrol(ctx, { gameKey: key, readsFaction: true }));
  // Only in a new world: a link that was taken back stays so at the next start.
  if (newcomers > 0) await linkDemoChat(ctx);
  return newcomers > 0;
}

/**
 * Factions whose key holders play along at first: enough for the model on most days, which wants `fewestPlayers` who were fought.
 * All at once would take more calls than the game allows in a minute, and players could not sign in meanwhile.
 */
export const firstFactions = 30;
/** Factions that join them, until there was enough to learn from. */
export const moreFactions = 4;

/**
 * Lets the key holders of some factions sign in. Of each faction those come last whose keys read its fights: what a fight tells
 * follows from the own score of a player who is known by then.
 * @param plan.factions how many, those of earlier looks included
 * @returns how many players are new
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
    await chooseForDemo(ctx, factionId ?? 0);
    const own = holders.filter((holder) => holder.factionId === factionId);
    const inOrder = [...own].sort(
      (one, other) => Number(one.readsFaction) - Number(other.readsFaction),
    );
    for (const { key, readsFaction } of inOrder)
      if (!signal.aborted) newcomers += Number(await enrol(ctx, { gameKey: key, readsFaction }));
  }
  return newcomers;
}

/** @returns whether the key is a new one */
async function enrol(
  ctx: Context,
  { gameKey, readsFaction }: { gameKey: string; readsFaction: boolean },
) {
  // The embedded database and the simulated game answer without leaving this turn: requests would wait for all of it.
  await letOthersRun();
  if (await isKeyKnown(ctx, gameKey)) return false;
  const info = await ctx.game.keyInfo(gameKey);
  const { key } = await enrolPlayer(ctx, { gameKey, info, turnOn: "lendsKey", origin: demoOrigin });
  const { factionId } = info;
  if (!key || !readsFaction) return true;
  // A faction of the demo has chosen before its fights are read: the model of estimates learns from what everybody may see.
  if (factionId !== null && !(await chooseForDemo(ctx, factionId))) {
    await refreshFactionMembers(ctx, factionId, { key, priority: "high" });
    await chooseForDemo(ctx, factionId);
  }
  await refreshAfterSignIn(ctx, { factionId, key });
  return true;
}

/** Calls to the game at once, out of the 900 a minute of all. */
const readAtOnce = 220;
/** Hardly more players were fought than the model wants: who could not be read is needed. Milliseconds. */
const triedAgainAfter = minuteMs / 2;

/**
 * Reads players who were fought, and trains the model of estimates on them, as their jobs do bit by bit.
 * @returns whether there was enough to learn from; on a busy machine some players cannot be read in time
 */
export async function trainFirstModel(ctx: Context, signal: AbortSignal): Promise<boolean> {
  if ((await countWhatWasRead(ctx.database.query)).models > 0) return true;
  await readFoughtPlayers(ctx, { budget: readAtOnce, signal }, triedAgainAfter);
  return (await renewModel(ctx)).outcome !== "too-few";
}

/** Links the demo faction with the recorded chat's server, so that banking works there. Not where a real chat is set up. */
export async function linkDemoChat(ctx: Context): Promise<void> {
  if (ctx.settings.chatBot) return;
  const [{ factionId }] = demoFactions;
  await refreshServer(ctx, demoChatServer.serverId);
  await linkBothSides(ctx, { factionId, serverId: demoChatServer.serverId, ...demoBankingChannel });
}
