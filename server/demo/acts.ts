import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { findMember } from "#server/faction/positions/membership";
import { GeneralError } from "#server/failures";
import { minuteMs } from "#server/platform/time";
import { minTrainingPlayers } from "#server/stats/estimates/renew-model";
import { demoFactions, demoPersonOf } from "#simulator/demo-people";
import { type ListedStock, listedStocks } from "#simulator/market";
import {
  askForMoney,
  type DemoContext,
  deleteKey,
  hitMember,
  holdUpCrime,
  payMember,
  remakeKey,
} from "./scenes";
import { countDemoData, findNewestKeyNotice, listNewestEvents } from "./store";

export const demoActs = ["hit", "crime", "payment", "stock", "outage", "key"] as const;
export type DemoAct = (typeof demoActs)[number];

const [{ factionId }] = demoFactions;
const loner = demoPersonOf("loner");
export const shockedStock = stockOf(1);
const shownEvents = 12;
const outageMs = 2 * minuteMs;

const lonerHasKey = (game: DemoContext["game"]): boolean =>
  game.keyHolders().some(({ key }) => key === loner.key);

type Act = (demo: DemoContext, user: PortalUser) => unknown;

const acts: Readonly<Record<DemoAct, Act>> = {
  hit: async (demo, { playerId }) => {
    const isHome = (await findMember(demo.ctx.database, playerId, factionId)) !== null;
    return hitMember(demo, isHome ? { defenderId: playerId } : {});
  },
  crime: holdUpCrime,
  payment: async (demo) => {
    if (await payMember(demo)) return;
    await askForMoney(demo);
    await payMember(demo);
  },
  stock: ({ game }) => game.shockStock({ stockId: shockedStock.id, factor: 1.08 }),
  outage: ({ ctx, game }) =>
    game.addFault({ code: 17, until: new Date(ctx.now().getTime() + outageMs) }),
  key: (demo) => (lonerHasKey(demo.game) ? deleteKey(demo, loner) : remakeKey(demo, loner)),
};

/** @throws GeneralError outside of a demo, and the act's own failures */
export async function actInDemo(ctx: Context, user: PortalUser, act: DemoAct): Promise<void> {
  const done = await acts[act]({ ctx, game: demoOf(ctx) }, user);
  if (done !== false) return;
  const reading = await showDemoProgress(ctx);
  throw GeneralError.because({
    message: reading
      ? "Adjutant is still reading the members of the demo's factions. Try again in a minute."
      : "Nobody is free for this now. Try again in an hour.",
  });
}

/** Checks every key, so call it only once per page. */
export const hasLonerKey = (ctx: Context): boolean => lonerHasKey(demoOf(ctx));

export async function showDemoProgress({ settings, database }: Context) {
  if (settings.demo !== "alive") return null;
  const { holders, players, models } = await countDemoData(database.query);
  return models > 0
    ? null
    : {
        holders,
        players: Math.min(players, minTrainingPlayers),
        playersWanted: minTrainingPlayers,
      };
}

/** @throws GeneralError outside of a demo */
export async function showDemo(ctx: Context) {
  demoOf(ctx);
  const on = ctx.database.query;
  return {
    reading: await showDemoProgress(ctx),
    events: await listNewestEvents(on, { factionId, limit: shownEvents }),
    keyNotice: (await findNewestKeyNotice(on, loner.playerId)) ?? null,
  };
}

function stockOf(id: number): ListedStock {
  const found = listedStocks.find((stock) => stock.id === id);
  if (!found) throw new Error(`The simulated game has no stock ${id}.`);
  return found;
}

function demoOf({ game: { control } }: Context): DemoContext["game"] {
  if (!control) throw GeneralError.because({ message: "This is no demo: its game is a real one." });
  return control;
}
