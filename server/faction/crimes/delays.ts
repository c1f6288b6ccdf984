import type { Context } from "#server/context";
import type { Crime } from "#server/game/contract/faction";
import { type Delay, type DelayRange, listDelays } from "./delay-store";

/**
 * Members that delay a crime: a planned and ready crime starts only when all participants are free.
 * Members with unlisted whereabouts do not count.
 */
export function findDelays(
  crimes: readonly Crime[],
  members: readonly {
    readonly playerId: number;
    readonly status: { readonly state: string; readonly description: string };
  }[],
  now: Date,
): Delay[] {
  const whereabouts = new Map(members.map(({ playerId, status }) => [playerId, status]));
  const waiting = crimes.filter(
    ({ status, readyAt }) => status === "Planning" && readyAt !== null && readyAt <= now,
  );
  return waiting.flatMap(({ crimeId, slots }) =>
    slots.flatMap(({ playerId, ...slot }) => {
      const status = playerId === null ? undefined : whereabouts.get(playerId);
      if (playerId === null || !status?.state || status.state === "Okay") return [];
      return [{ ...slot, crimeId, playerId, reason: status.description }];
    }),
  );
}

/** Newest crime first. The cursor is a crime and an offset into its delays. */
export async function listCrimeDelays(ctx: Context, asked: DelayRange) {
  const rows = await listDelays(ctx.database, { ...asked, limit: asked.limit + 1 });
  const delays = rows.slice(0, asked.limit);
  const last = delays.at(-1);
  const following = rows[asked.limit];
  if (!last || !following) return { delays, next: undefined };
  const given = delays.filter(({ crimeId }) => crimeId === following.crimeId).length;
  const before = following.crimeId === asked.highest ? asked.skip : 0;
  return { delays, next: { place: following.crimeId, row: given === 0 ? 0 : given + before } };
}
