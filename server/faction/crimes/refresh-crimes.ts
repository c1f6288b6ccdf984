import type { Context } from "#server/context";
import { recordEvents } from "#server/event-log/record-events";
import { pageSize } from "#server/game/client";
import type { Crime } from "#server/game/contract/faction";
import { countSentRows, type Rows, unreadableCountsOf } from "#server/game/contract/rows";
import { isGameCallError } from "#server/game/game-call-error";
import { selectionsByCall } from "#server/game/selections";
import type { Job } from "#server/jobs/job";
import { hourSeconds, secondMs } from "#server/platform/time";
import { callGame, tryKeys } from "#server/users/keys/call-game";
import type { GameKey } from "#server/users/keys/pick-key";
import { applyMemberListing } from "#server/users/membership/membership";
import { crimeDelayed, crimeResumed } from "../events";
import { listingOf, throwWrongFaction } from "../refresh-members";
import { findMembersListedAt } from "../store";
import type { BudgetedCredentials } from "../sync-schedules";
import { noteSyncAttempt } from "../sync-store";
import {
  type CrimeDelayRow,
  findCrimeTypesReadAt,
  insertCrimeDelays,
  markDelayedCrimes,
  saveCrimes,
  saveCrimesMigrated,
  saveCrimeTypes,
} from "./store";

/**
 * One call reads crimes and members, so that both are as of one moment.
 * @throws GameCallError; stored data stays
 * @returns the number of new delays; none for the old kind of crimes
 */
export async function refreshCrimes(
  ctx: Context,
  factionId: number,
  credentials: BudgetedCredentials,
) {
  const at = ctx.now();
  await noteSyncAttempt(ctx.database.query, factionId, { sync: "crimes", at });
  const answer = await askForCrimes(ctx, credentials);
  if (!answer) {
    await saveCrimesMigrated(ctx.database.query, factionId, false);
    return { delays: 0 };
  }
  const { members } = answer;
  if (answer.factionId !== factionId) return throwWrongFaction(ctx, factionId, credentials);
  const listing = listingOf(factionId, members, answer.membersCounted);

  const { pages, unread, isComplete } = await readFurther(ctx, factionId, {
    credentials,
    first: answer.crimes,
  });
  // The game may list a crime twice.
  const crimes = [...new Map(pages.flat().map((crime) => [crime.crimeId, crime])).values()];
  const findings = detectDelays(crimes, members, at);
  const seen = new Set(members.map(({ playerId }) => playerId));
  const hasUnseen = ({ slots }: Crime) =>
    slots.some(({ playerId }) => playerId !== null && !seen.has(playerId));
  const delays = await ctx.database.transaction(async (tx) => {
    await saveCrimesMigrated(tx, factionId, true);
    const watched = (await findMembersListedAt(tx, factionId)) !== null;
    await applyMemberListing(ctx, tx, { factionId, ...listing, at, watched });
    await saveCrimes(tx, { factionId, crimes, at });
    const added = await insertCrimeDelays(tx, { factionId, delays: findings, at });
    const resumed = await markDelayedCrimes(tx, {
      factionId,
      at,
      heldUp: findings.map(({ crimeId }) => crimeId),
      // A crime with an unlisted member, or in an unreadable row, may still be delayed.
      open: [...crimes.filter(hasUnseen).map(({ crimeId }) => crimeId), ...unread],
      listed: isComplete ? undefined : crimes.map(({ crimeId }) => crimeId),
    });
    await recordEvents(ctx, tx, [
      ...[...new Set(added)].map((subject) => ({ type: crimeDelayed, subject, factionId })),
      ...resumed.map((subject) => ({ type: crimeResumed, subject, factionId })),
    ]);
    return added.length;
  });
  return { delays, ...unreadableCountsOf(...pages) };
}

/** A ready crime starts only when all participants are free. */
export function detectDelays(
  crimes: readonly Crime[],
  members: readonly {
    readonly playerId: number;
    readonly status: { readonly state: string; readonly description: string };
  }[],
  now: Date,
): CrimeDelayRow[] {
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

async function readFurther(
  ctx: Context,
  factionId: number,
  { credentials, first }: { credentials: BudgetedCredentials; first: Rows<Crime> },
) {
  const pages = [first];
  const isFull = () => countSentRows(pages.at(-1) ?? first) >= pageSize;
  while (isFull() && pages.length < credentials.calls) {
    const offset = pages.length * pageSize;
    const page = await callGame(ctx, {
      ...credentials,
      call: (game, text) => game.factionCrimes(text, { category: "available", offset }),
    });
    if (page.factionId !== factionId) return throwWrongFaction(ctx, factionId, credentials);
    pages.push(page.crimes);
  }
  const unreadable = pages.flatMap((page) => page.unreadable ?? []);
  return {
    pages,
    /** Crime ids of unreadable rows. */
    unread: unreadable.flatMap(({ ids }) => ids),
    isComplete: !isFull() && unreadable.every(({ ids, rows }) => ids.length === rows),
  };
}

/** @returns null for a faction with the old kind of crimes */
async function askForCrimes(ctx: Context, credentials: BudgetedCredentials) {
  try {
    return await callGame(ctx, {
      ...credentials,
      call: (game, text) => game.factionCrimesWithMembers(text),
    });
  } catch (error) {
    if (isGameCallError(error) && error.kind === "not-migrated") return null;
    throw error;
  }
}

export const refreshCrimeTypesJob: Job = {
  name: "refresh-crime-types",
  // The job runs more often than the types expire, so that a failed read is retried soon.
  cadence: { everySeconds: 600 },
  budget: 1,
  run: async (ctx) => {
    if (!(await crimeTypesAreStale(ctx))) return { types: 0, withoutKey: 0 };
    const read = await tryKeys(ctx, { of: "lenders", reads: selectionsByCall.crimeTypes }, (key) =>
      refreshStaleCrimeTypes(ctx, key),
    );
    return read ? { ...read, withoutKey: 0 } : { types: 0, withoutKey: 1 };
  },
};

/** The game adds a type every few months. */
const typesLifetimeSeconds = 12 * hourSeconds;

async function crimeTypesAreStale(ctx: Context): Promise<boolean> {
  const seen = await findCrimeTypesReadAt(ctx.database.query);
  return seen === null || ctx.now().getTime() - seen.getTime() >= typesLifetimeSeconds * secondMs;
}

/** Costs at most one call. @throws GameCallError */
export async function refreshStaleCrimeTypes(ctx: Context, key: GameKey) {
  if (!(await crimeTypesAreStale(ctx))) return { types: 0 };
  const at = ctx.now();
  const types = await callGame(ctx, {
    key,
    priority: "background",
    call: (game, text) => game.organizedCrimeTypes(text),
  });
  await saveCrimeTypes(ctx.database.query, types, at);
  return { types: types.length, ...unreadableCountsOf(types) };
}
