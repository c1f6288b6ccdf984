import { perProcess } from "#server/context";
import { retaliationWindowSeconds } from "#server/faction/attacks/retaliation";
import { isGameCallError } from "#server/game/game-call-error";
import type { Counts, Job } from "#server/jobs/job";
import { minuteMs, secondMs } from "#server/platform/time";
import { refreshMarket } from "#server/stocks/refresh-stocks";
import { demoFactions, demoPersonOf } from "#simulator/demo-people";
import type { SimulatorControl } from "#simulator/simulator";
import { registerTools } from "./demo-applications";
import { runUnlessRefused } from "./demo-user";
import {
  enrolDemoPeople,
  enrolResidents,
  firstFactionCount,
  moreFactionCount,
  trainFirstModel,
} from "./demo-world";
import { askForMoney, type DemoContext, hitMember, holdUpCrime, payMember } from "./scenes";
import { findNewestVaultRequest, wasFactionHitSince } from "./store";

const [{ factionId }] = demoFactions;
/** At this interval at least one hit is always open. */
const hitEveryMs = (retaliationWindowSeconds * secondMs) / 2;
const paidAfterMs = 20 * minuteMs;
const requesters = ["member", "developer"] as const;

/** Acts on the game by its control verbs; the results arrive by synchronisation. */
export const createDemoJob = (game: SimulatorControl): Job => ({
  name: "run-demo",
  cadence: { everySeconds: 30 },
  budget: 0,
  run: async (ctx, { signal }) => {
    const known = progress(ctx);
    if (!known.filled && (await enrolDemoPeople(ctx))) await openScenes({ ctx, game });
    const counts = await playDemoRound({ ctx, game });
    known.market ||= await refreshMarket(ctx, signal);
    if (known.filled) return counts;
    const enrolled = await fillWorld({ ctx, game }, signal);
    known.market ||= await refreshMarket(ctx, signal);
    return { ...counts, enrolled };
  },
});

const mostSteps = 3;

/**
 * If the calls of the minute are spent, the next run continues.
 * @returns the number of new players
 */
async function fillWorld({ ctx, game }: DemoContext, signal: AbortSignal): Promise<number> {
  const known = progress(ctx);
  let enrolled = 0;
  try {
    for (let step = 0; step < mostSteps && !known.filled && !signal.aborted; step++) {
      enrolled += await enrolResidents(ctx, game, { factions: known.factions, signal });
      known.filled = (await trainFirstModel(ctx, signal)) && !signal.aborted;
      known.factions += moreFactionCount;
    }
  } catch (error) {
    if (!isGameCallError(error) || error.kind !== "ip-block") throw error;
  }
  return enrolled;
}

/** `factions` is the total to enrol by the next step. */
const progress = perProcess("demo world", () => ({
  filled: false,
  market: false,
  factions: firstFactionCount,
}));

async function openScenes(demo: DemoContext): Promise<void> {
  await runUnlessRefused(demo.ctx, () => registerTools(demo.ctx));
  await runUnlessRefused(demo.ctx, async () => {
    for (const role of requesters) {
      await askForMoney(demo, role);
      await payMember(demo, role);
      await askForMoney(demo, role);
    }
  });
}

export async function playDemoRound(demo: DemoContext): Promise<Counts> {
  return {
    hits: Number(await hitAgain(demo)),
    crimes: Number(demo.game.waitingCrew({ factionId }).length === 0 && (await holdUpCrime(demo))),
    requests: await moveRequests(demo),
  };
}

async function hitAgain(demo: DemoContext): Promise<boolean> {
  const { database, now } = demo.ctx;
  const since = new Date(now().getTime() - hitEveryMs);
  return !(await wasFactionHitSince(database.query, factionId, since)) && hitMember(demo);
}

/** @returns the number of new requests */
async function moveRequests(demo: DemoContext): Promise<number> {
  const { ctx } = demo;
  let moved = 0;
  for (const role of requesters) {
    const newest = await findNewestVaultRequest(ctx.database.query, demoPersonOf(role).playerId);
    if (newest && ctx.now().getTime() - newest.requestedAt.getTime() < paidAfterMs) continue;
    await payMember(demo, role);
    moved += Number(await runUnlessRefused(ctx, () => askForMoney(demo, role)));
  }
  return moved;
}
