import type { Revocation } from "#server/context";
import type { CacheCounts } from "#server/platform/metrics";

export interface RevocableRights {
  readonly grantId?: string;
  readonly consentId?: string;
  readonly clientId?: string;
  readonly accountId?: string;
}

export interface Remembered<Value> {
  readonly value: Value;
  readonly subject: RevocableRights;
  readonly expiresAt: Date | null;
}

/** Misses are not cached. */
export interface LivenessCache<Value> {
  get(key: string, load: () => Promise<Remembered<Value> | undefined>): Promise<Value | undefined>;
  forget(revocation: Revocation): void;
  clear(): void;
}

/** Revocations take effect within a second everywhere; the other 200 ms are for the query. */
const longestMilliseconds = 800;
/** About 10 MB. */
const mostEntries = 20_000;

interface Entry<Value> extends Remembered<Value> {
  readonly since: number;
}

/** `revoked`: revocations that a query in flight may have missed. */
interface Query {
  readonly revoked: Revocation[];
  cleared: boolean;
}

/**
 * An entry lives 800 ms from the start of its query, and not past a concurrent revocation.
 * @param pending announced revocations that the database may not show yet
 */
export function createLivenessCache<Value>(
  now: () => Date,
  pending: () => readonly Revocation[],
  counts?: CacheCounts,
): LivenessCache<Value> {
  const entries = new Map<string, Entry<Value>>();
  const byGrant = new Map<string, Set<string>>();
  const underWay = new Set<Query>();

  const drop = (key: string) => {
    const grantId = entries.get(key)?.subject.grantId;
    entries.delete(key);
    if (grantId === undefined) return;
    const siblings = byGrant.get(grantId);
    siblings?.delete(key);
    if (siblings?.size === 0) byGrant.delete(grantId);
  };
  const keep = (key: string, entry: Entry<Value>) => {
    drop(key);
    // A Map iterates in insertion order: oldest first.
    for (const [oldest, { since }] of entries) {
      if (entries.size < mostEntries && isRecent(since, entry.since)) break;
      drop(oldest);
    }
    entries.set(key, entry);
    const { grantId } = entry.subject;
    if (grantId === undefined) return;
    const siblings = byGrant.get(grantId);
    if (siblings) siblings.add(key);
    else byGrant.set(grantId, new Set([key]));
  };

  return {
    get: async (key, load) => {
      const since = now().getTime();
      const entry = entries.get(key);
      if (
        entry &&
        isRecent(entry.since, since) &&
        (entry.expiresAt?.getTime() ?? Infinity) > since
      ) {
        counts?.hit.inc();
        return entry.value;
      }
      counts?.miss.inc();
      const query: Query = { revoked: [], cleared: false };
      underWay.add(query);
      try {
        const found = await load();
        if (found && !query.cleared && !isRevoked(found.subject, [...query.revoked, ...pending()]))
          keep(key, { ...found, since });
        return found?.value;
      } finally {
        underWay.delete(query);
      }
    },
    forget: (revocation) => {
      for (const query of underWay) query.revoked.push(revocation);
      // Only refreshes revoke often, by grant; a full scan is cheap enough for the rest.
      if ("grantId" in revocation)
        for (const key of [...(byGrant.get(revocation.grantId) ?? [])]) drop(key);
      else for (const [key, { subject }] of entries) if (touches(revocation, subject)) drop(key);
    },
    clear: () => {
      for (const query of underWay) query.cleared = true;
      entries.clear();
      byGrant.clear();
    },
  };
}

/** A clock that was set back must not prolong an entry. */
const isRecent = (since: number, now: number): boolean =>
  now >= since && now - since < longestMilliseconds;

const isRevoked = (subject: RevocableRights, revocations: readonly Revocation[]): boolean =>
  revocations.some((revocation) => touches(revocation, subject));

export function touches(revocation: Revocation, subject: RevocableRights): boolean {
  if ("grantId" in revocation) return revocation.grantId === subject.grantId;
  if ("consentId" in revocation) return revocation.consentId === subject.consentId;
  if ("clientId" in revocation) return revocation.clientId === subject.clientId;
  return revocation.accountId === subject.accountId;
}
