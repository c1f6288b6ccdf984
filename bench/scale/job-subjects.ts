import { sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { countDue, tableNameOf, sweepBatch } from "#db/sweep";
import { claimDueMessage, readMessageBacklog } from "#server/chat/store";
import type { Context } from "#server/context";
import { cancelExpired, cancelOfLeavers } from "#server/faction/banking/store";
import { listUnproved } from "#server/faction/banking/store";
import { type SyncKind, syncSchedules } from "#server/faction/sync-schedules";
import { listDueFactions } from "#server/faction/sync-store";
import { selectionsByCall } from "#server/game/selections";
import { sumWindows } from "#server/game/store";
import { claimSlots } from "#server/jobs/store";
import type { SweepTimes } from "#server/oauth/sweep-store";
import { countPublicLabels, listOpponentsToRead } from "#server/stats/estimates/store";
import { listDueSharers } from "#server/stats/own-fights/store";
import { sweeps, tableWalks } from "#server/sweeper/list";
import { pickKey } from "#server/users/keys/pick-key";
import { listSuspendedKeys, listWorkingKeys } from "#server/users/keys/store";
import { listDuePlayers } from "#server/users/store";
import { oneOf, type Subject } from "./subjects";

const dayMs = 86_400_000;
const rollback = Symbol("rollback");

/** What jobs and the sweeper ask the database for, again and again. What would change rows is rolled back. */
export const jobSubjects: readonly Subject[] = [
  job("listDuePlayers", ({ on, ago }) =>
    listDuePlayers(on, { ownersBefore: ago(1 / 24), membersBefore: ago(0.5), limit: 180 }),
  ),
  ...(Object.keys(syncSchedules) as SyncKind[]).map((sync) =>
    job(`listDueFactions, ${sync}`, ({ on, ctx }) =>
      listDueFactions(on, { sync, now: ctx.now(), limit: 60, keyIds: ctx.keyring.keyIds }),
    ),
  ),
  job("listDueSharers", ({ on, ago }) =>
    listDueSharers(on, {
      ...{ triedBefore: ago(590 / 86_400), limit: 200 },
      ...{ reads: selectionsByCall.fights, readsOfFaction: selectionsByCall.attacks },
    }),
  ),
  job("listOpponentsToRead", ({ on, ago }) =>
    listOpponentsToRead(on, { since: ago(90), readSince: ago(7), triedBefore: ago(1), limit: 60 }),
  ),
  job("countPublicLabels", ({ on, ago }) => countPublicLabels(on, ago(1))),
  // Their keys do not open, so that they are not picked.
  job("listWorkingKeys, lenders'", ({ on, ctx }) =>
    listWorkingKeys(
      on,
      { of: "lenders" },
      {
        ...{ administrators: ctx.settings.adminUserIds, from: ctx.ids.uuid() },
        ...{ keyIds: ctx.keyring.keyIds, preferred: "user/battlestats" },
      },
    ),
  ),
  job("pickKey, a player's", ({ ctx, caller }) =>
    pickKey(ctx, { of: "player", playerId: caller.playerId }),
  ),
  job("pickKey, a member's with access", ({ ctx, caller }) =>
    pickKey(ctx, { of: "faction", factionId: caller.factionId ?? 1 }),
  ),
  job("listSuspendedKeys", ({ on, ctx }) =>
    listSuspendedKeys(on, { states: ["paused", "disabled"], keyIds: ctx.keyring.keyIds, limit: 500 }),
  ),
  job("cancelExpired", ({ on, ctx }) => cancelExpired(on, ctx.now(), 200)),
  job("cancelOfLeavers", ({ on, ctx }) => cancelOfLeavers(on, ctx.now(), 200)),
  job("listUnproved", ({ on }) => listUnproved(on, 500)),
  job("claimDueMessage of the chat", ({ on, ctx }) => claimDueMessage(on, ctx.now())),
  job("readMessageBacklog of the chat", ({ on }) => readMessageBacklog(on)),
  job("sumWindows of the game's budgets", ({ on, ctx }) => sumWindows(on, ctx.now(), 100)),
  job("claimSlots", ({ on, ctx }) => {
    const now = ctx.now();
    return claimSlots(on, [{ job: "deliver-chat", slot: now }], now);
  }),
  ...sweeps.flatMap((sweep) => [
    job(`sweep ${tableNameOf(sweep)}`, ({ on, moment }) => sweepBatch(on, sweep, moment.now)),
    job(`count of the sweep ${tableNameOf(sweep)}`, ({ on, moment }) =>
      countDue(on, sweep, { now: moment.now, most: 10_000 }),
    ),
  ]),
  ...tableWalks.map((walk) =>
    job(`walk of ${tableNameOf(walk)}, 200 rows`, ({ on, moment }) =>
      walk.clear(on, sql`array(select id from ${walk.table} order by id limit 200)`, moment, 400),
    ),
  ),
];

interface Means {
  readonly ctx: Context;
  /** Of a transaction that is rolled back. */
  readonly on: Queryable;
  readonly ago: (days: number) => Date;
  readonly caller: { readonly playerId: number; readonly factionId: number | null };
  readonly moment: SweepTimes;
}

function job(name: string, ask: (means: Means) => Promise<unknown>): Subject {
  const prepare: Subject["prepare"] = ({ ctx, callers }) => {
    const now = ctx.now();
    const ago = (days: number) => new Date(now.getTime() - days * dayMs);
    const fixed = {
      ctx,
      ago,
      caller: oneOf(callers.leaders),
      moment: { now, replayable: now },
    };
    return () =>
      ctx.database
        .transaction(async (on) => {
          await ask({ ...fixed, on });
          throw rollback;
        })
        .catch((thrown: unknown) => {
          if (thrown !== rollback) throw thrown;
        });
  };
  return { group: "job", name, prepare };
}
