import { z } from "zod";
import { afterCommit, type Database, type Queryable } from "#db/client";
import type { TokenHolder } from "#server/actor";
import type { Revocation, Tokens } from "#server/context";
import type { CacheCounts } from "#server/platform/metrics";
import { createTtlCache } from "#server/platform/ttl-cache";

export type RevocableRights = Partial<Omit<TokenHolder, "kind" | "scopes">> & {
  readonly factionId?: number | null | undefined;
};

type Changed = Parameters<Tokens["forget"]>[0];

export interface Remembered<Value> {
  readonly value: Value;
  readonly subject: RevocableRights;
  readonly expiresAt: Date | null;
}

/** Revocations take effect within a second everywhere; the other 200 ms are for the query. */
const longestMilliseconds = 800;
/** About 10 MB. */
const mostEntries = 20_000;

/** `revoked`: revocations that a query in flight may have missed. */
interface Query {
  readonly revoked: Changed[];
  cleared: boolean;
}

/**
 * Misses are not cached. An entry lives 800 ms from the start of its query, and not past a
 * concurrent revocation.
 * @param pending announced revocations that the database may not show yet
 */
export function createLivenessCache<Value>(
  now: () => Date,
  pending: () => readonly Revocation[],
  counts?: CacheCounts,
) {
  const index = new Map<string, Set<string>>();
  const underWay = new Set<Query>();
  const entries = createTtlCache<string, Remembered<Value>>({
    now,
    ttl: longestMilliseconds,
    most: mostEntries,
    onDrop: (key, { subject }) => {
      for (const place of placesOf(subject)) {
        const siblings = index.get(place);
        siblings?.delete(key);
        if (siblings?.size === 0) index.delete(place);
      }
    },
  });
  const keep = (key: string, found: Remembered<Value>, since: number) => {
    const expiresAt = found.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
    entries.set(key, found, Math.min(since + longestMilliseconds, expiresAt), since);
    for (const place of placesOf(found.subject)) {
      const siblings = index.get(place);
      if (siblings) siblings.add(key);
      else index.set(place, new Set([key]));
    }
  };

  return {
    get: async (
      key: string,
      load: () => Promise<Remembered<Value> | undefined>,
    ): Promise<Value | undefined> => {
      const entry = entries.get(key);
      if (entry) {
        counts?.hit.inc();
        return entry.value;
      }
      const since = now().getTime();
      counts?.miss.inc();
      const query: Query = { revoked: [], cleared: false };
      underWay.add(query);
      try {
        const found = await load();
        if (found && !query.cleared && !isRevoked(found.subject, [...query.revoked, ...pending()]))
          keep(key, found, since);
        return found?.value;
      } finally {
        underWay.delete(query);
      }
    },
    forget: (revocation: Changed): void => {
      for (const query of underWay) query.revoked.push(revocation);
      const [place] = placesOf(revocation);
      if (place) for (const key of [...(index.get(place) ?? [])]) entries.delete(key);
      else
        for (const [key, { subject }] of [...entries.entries()])
          if (touches(revocation, subject)) entries.delete(key);
    },
    clear: (): void => {
      for (const query of underWay) query.cleared = true;
      entries.clear();
    },
  };
}

/** In the index: token refreshes forget by grant, readings of the game by player; the rest scans. */
const placesOf = ({ grantId, playerId }: RevocableRights): string[] => [
  ...(grantId === undefined ? [] : [`grant ${grantId}`]),
  ...(playerId === undefined ? [] : [`player ${playerId}`]),
];

const isRevoked = (subject: RevocableRights, revocations: readonly Changed[]): boolean =>
  revocations.some((revocation) => touches(revocation, subject));

/** A revocation names one id; with several, one that matches is enough. */
export const touches = (revocation: Changed, subject: RevocableRights): boolean =>
  Object.entries(revocation).some(([name, id]) => Reflect.get(subject, name) === id);

export const revocationChannel = "adjutant_revocations";

const Message = z.union([
  z.object({ grantId: z.string() }),
  z.object({ consentId: z.string() }),
  z.object({ clientId: z.string() }),
  z.object({ accountId: z.string() }),
  z.object({ factionId: z.int() }),
]);

/** Milliseconds; no transaction takes longer than ten seconds. */
const longestWait = 15_000;

/**
 * @param onRevocation called when announced here, at its commit, and for other instances
 * @param onDrop called when messages may have been lost
 */
export async function createRevocationBus(
  { database, now }: { readonly database: Database; readonly now: () => Date },
  onRevocation: (revocation: Revocation) => void,
  onDrop: () => void,
) {
  const waiting = new Set<{ readonly revocation: Revocation; readonly until: number }>();
  await database.listen(
    revocationChannel,
    (payload) => {
      const revocation = readMessage(payload);
      if (revocation) onRevocation(revocation);
      else onDrop();
    },
    onDrop,
  );
  return {
    /** At the commit; elsewhere at most a second later. */
    announce: async (on: Queryable, revocation: Revocation): Promise<void> => {
      const announced = { revocation, until: now().getTime() + longestWait };
      waiting.add(announced);
      onRevocation(revocation);
      afterCommit(on, () => {
        waiting.delete(announced);
        onRevocation(revocation);
      });
      database.notify(on, revocationChannel, JSON.stringify(revocation));
    },
    /** The transaction may not have committed yet. */
    pending: (): readonly Revocation[] => {
      if (waiting.size === 0) return [];
      const instant = now().getTime();
      for (const announced of waiting) if (announced.until <= instant) waiting.delete(announced);
      return [...waiting].map(({ revocation }) => revocation);
    },
  };
}

function readMessage(payload: string): Revocation | undefined {
  try {
    return Message.parse(JSON.parse(payload));
  } catch {
    return undefined;
  }
}
