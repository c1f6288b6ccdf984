import type { Revocation } from "#server/context";
import type { CacheCounts } from "#server/platform/metrics";

/** The grant, consent, client and account whose revocation ends a remembered value. An absent one cannot be revoked. */
export interface RevocableRights {
  readonly grantId?: string;
  readonly consentId?: string;
  readonly clientId?: string;
  readonly accountId?: string;
}

/** A value, its subject, and when it expires. */
export interface Remembered<Value> {
  readonly value: Value;
  readonly subject: RevocableRights;
  readonly expiresAt: Date | null;
}

/** Short-lived answers to "is this alive?", so that a burst of calls costs one query. */
export interface LivenessCache<Value> {
  /** The remembered value, or what `load` finds. Nothing found is never remembered. */
  get(key: string, load: () => Promise<Remembered<Value> | undefined>): Promise<Value | undefined>;
  forget(revocation: Revocation): void;
  /** Forgets all, queries under way included. */
  clear(): void;
}

/** Rights that end elsewhere must end here within a second; the rest is for the query itself. */
const longestMilliseconds = 800;
/** Some 10 MB of tokens in use within the same 800 ms. */
const mostEntries = 20_000;

interface Entry<Value> extends Remembered<Value> {
  /** When the query that found it began. */
  readonly since: number;
}

/** A query under way, and what was revoked since it began: its answer may be older than that. */
interface Query {
  readonly revoked: Revocation[];
  cleared: boolean;
}

/**
 * Opens a cache. An answer counts 800 ms from the *start* of its query, and is not kept when a revocation came meanwhile.
 * @param pending revocations that were announced here and that the database may not show yet
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
    // A Map iterates in order of insertion, so its first entry is the oldest.
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
      // Refreshes revoke by grant all the time; everything else is rare enough for a look at each entry.
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

/** A clock that was set back must not make an entry live longer. */
const isRecent = (since: number, now: number): boolean =>
  now >= since && now - since < longestMilliseconds;

const isRevoked = (subject: RevocableRights, revocations: readonly Revocation[]): boolean =>
  revocations.some((revocation) => touches(revocation, subject));

/** Whether the revocation ends the rights of this subject. */
export function touches(revocation: Revocation, subject: RevocableRights): boolean {
  if ("grantId" in revocation) return revocation.grantId === subject.grantId;
  if ("consentId" in revocation) return revocation.consentId === subject.consentId;
  if ("clientId" in revocation) return revocation.clientId === subject.clientId;
  return revocation.accountId === subject.accountId;
}
