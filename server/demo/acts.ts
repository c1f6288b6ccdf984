import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { readMembership } from "#server/faction/positions/read-membership";
import { GeneralError } from "#server/failures";
import { demoFactions, demoPeople } from "#simulator/demo-people";
import { askForMoney, type Demo, hitMember, holdUpCrime, payMember } from "./scenes";
import { countWhatWasRead, listNewestEvents } from "./store";

/** What can be made to happen in the simulated game, in the order of the page. */
export const demoActs = ["hit", "crime", "payment", "stock", "outage", "key"] as const;
export type DemoAct = (typeof demoActs)[number];

const [{ factionId }] = demoFactions;
const loner = demoPeople.find(({ role }) => role === "loner");
/** A stock and by how much its price jumps. */
const shock = { stockId: 1, factor: 1.08 };
const shownEvents = 12;
/** The model of estimates wants so many players who were fought and read. */
const playersWanted = 200;

type Act = (demo: Demo, user: PortalUser) => unknown;

const acts: Readonly<Record<DemoAct, Act>> = {
  hit: async (demo, { playerId }) => {
    const membership = await readMembership(demo.ctx.database.query, playerId);
    await hitMember(demo, membership.factionId === factionId ? { defenderId: playerId } : {});
  },
  crime: holdUpCrime,
  payment: async (demo) => {
    if (await payMember(demo)) return;
    await askForMoney(demo);
    await payMember(demo);
  },
  stock: ({ game }) => game.shockStock(shock),
  outage: ({ game }) => game.presets({ name: "outage" }),
  key: ({ game }) => loner && switchKey(game, loner),
};

/** Deletes the key that the loner lends, or makes it again. */
function switchKey(game: Demo["game"], { key, playerId }: { readonly key: string; readonly playerId: number }): void {
  if (game.keyHolders().some((holder) => holder.key === key)) game.deleteKey({ key });
  else game.createKey({ playerId, key, level: 3 });
}

/** Makes something happen in the simulated game. @throws GeneralError where the game is no demo, and what a request is refused with */
export async function actInDemo(ctx: Context, user: PortalUser, act: DemoAct): Promise<void> {
  await acts[act]({ ctx, game: demoOf(ctx) }, user);
}

/** How far the world is read, and what the demo faction's applications were told of last. @throws GeneralError where the game is no demo */
export async function showDemo(ctx: Context) {
  const game = demoOf(ctx);
  const on = ctx.database.query;
  const { holders, players, models } = await countWhatWasRead(on);
  return {
    reading: models > 0 ? null : { holders, players: Math.min(players, playersWanted), playersWanted },
    events: await listNewestEvents(on, { factionId, limit: shownEvents }),
    lonerHasKey: game.keyHolders().some(({ key }) => key === loner?.key),
  };
}

function demoOf({ demo }: Context): Demo["game"] {
  if (!demo) throw GeneralError.because({ message: "This is no demo: its game is a real one." });
  return demo;
}
