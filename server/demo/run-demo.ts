import { type Context, perProcess } from "#server/context";
import { answerSeconds } from "#server/faction/attacks/retaliation";
import { isFailure } from "#server/failures";
import { isGameCallError } from "#server/game/game-call-error";
import type { Counts, Job } from "#server/jobs/job";
import { minuteMs, secondMs } from "#server/platform/time";
import { readMarket } from "#server/stocks/refresh-stocks";
import { demoFactions, demoPerson } from "#simulator/demo-people";
import type { SimulatorControl } from "#simulator/journal";
import {
  enrolDemoPeople,
  enrolResidents,
  firstFactions,
  moreFactions,
  trainFirstModel,
} from "./demo-world";
import { askForMoney, type Demo, hitMember, holdUpCrime, payMember } from "./scenes";
import { findNewestRequest, listHeldUpCrew, wasHitSince } from "./store";

const [{ factionId }] = demoFactions;
/** Between two hits, so that there is always one that can still be answered. */
const hitEveryMs = (answerSeconds * secondMs) / 2;
/** A request waits for so long before the banker pays it and the next is made. */
const paidAfterMs = 20 * minuteMs;
/** The member who has a waiting request, and others that were paid. */
const requesters = ["member", "developer"] as const;

/**
 * Fills a new world, and then keeps something going on in the demo faction, by the control verbs of the simulated game: what
 * comes of it is found by synchronisation.
 */
export const runDemo = (game: SimulatorControl): Job => ({
  name: "run-demo",
  cadence: { everySeconds: 30 },
  budget: 0,
  run: async (ctx, { signal }) => {
    const known = progress(ctx);
    if (!known.filled && (await enrolDemoPeople(ctx))) await openScenes({ ctx, game });
    const counts = await playOn({ ctx, game });
    known.market ||= await readMarket(ctx, signal);
    if (known.filled) return counts;
    const enrolled = await fillWorld({ ctx, game }, signal);
    known.market ||= await readMarket(ctx, signal);
    return { ...counts, enrolled };
  },
});

/** How often others join the first factions in one run: on a quiet day those fought too few. */
const mostSteps = 3;

/** @returns how many players are new. What the game's calls of this minute do not suffice for is left to the next run. */
async function fillWorld({ ctx, game }: Demo, signal: AbortSignal): Promise<number> {
  const known = progress(ctx);
  let enrolled = 0;
  try {
    for (let step = 0; step < mostSteps && !known.filled && !signal.aborted; step++) {
      enrolled += await enrolResidents(ctx, game, { factions: known.factions, signal });
      known.filled = (await trainFirstModel(ctx, signal)) && !signal.aborted;
      known.factions += moreFactions;
    }
  } catch (error) {
    if (!isGameCallError(error) || error.kind !== "ip-block") throw error;
  }
  return enrolled;
}

/** Whether this process has looked for what its world lacks, and its market; and the factions whose players sign in at the next look. */
const progress = perProcess("demo world", () => ({
  filled: false,
  market: false,
  factions: firstFactions,
}));

/** In a new world everybody who requests something has one request that was paid, and one that waits. */
async function openScenes(demo: Demo): Promise<void> {
  await unlessRefused(demo.ctx, async () => {
    for (const role of requesters) {
      await askForMoney(demo, role);
      await payMember(demo, role);
      await askForMoney(demo, role);
    }
  });
}

/** @returns how many things of each kind it made happen */
export async function playOn(demo: Demo): Promise<Counts> {
  const { ctx } = demo;
  return {
    hits: Number(await hitAgain(demo)),
    crimes: Number(
      (await listHeldUpCrew(ctx.database.query, factionId)).length === 0 &&
        (await holdUpCrime(demo)),
    ),
    requests: await moveRequests(demo),
  };
}

async function hitAgain(demo: Demo): Promise<boolean> {
  const { database, now } = demo.ctx;
  const since = new Date(now().getTime() - hitEveryMs);
  return !(await wasHitSince(database.query, factionId, since)) && hitMember(demo);
}

/**
 * A newest request that has waited is paid and followed by another; so is one that was cancelled or has expired.
 * @returns how many were
 */
async function moveRequests(demo: Demo): Promise<number> {
  const { ctx } = demo;
  let moved = 0;
  for (const role of requesters) {
    const newest = await findNewestRequest(ctx.database.query, demoPerson(role).playerId);
    if (newest && ctx.now().getTime() - newest.requestedAt.getTime() < paidAfterMs) continue;
    await payMember(demo, role);
    moved += Number(await unlessRefused(ctx, () => askForMoney(demo, role)));
  }
  return moved;
}

/** Visitors of the demo may take back its chat link or ask for all there is; then nothing is asked for. */
async function unlessRefused(ctx: Context, ask: () => Promise<void>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (!isFailure(error)) throw error;
    ctx.log.info({ refused: error.message }, "the demo's member asked for nothing");
    return false;
  }
}
