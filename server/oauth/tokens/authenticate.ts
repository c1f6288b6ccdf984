import DataLoader from "dataloader";
import { z } from "zod";
import { afterCommit, type Database, type Queryable } from "#db/client";
import type { TokenHolder } from "#server/actor";
import type { Authentication, Context, Revocation, TokenService } from "#server/context";
import { hasSecretForm } from "#server/platform/secret-text";
import { createTtlCache } from "#server/platform/ttl-cache";
import { isFactionScope } from "#server/scopes";
import { isClientId } from "../clients/client";
import { findClient, type RegisteredClient } from "../clients/store";
import { findAccessTokens, type LiveAccessToken, rehashAccessToken } from "./store";

type AuthenticatorDeps = Pick<Context, "database" | "keyring" | "now" | "metrics" | "defer"> & {
  readonly cached: boolean;
};

export interface Authenticator extends Omit<TokenService, "requestTime"> {
  watch(onRevoked: (touched: (subject: RevocationSubject) => boolean) => void): void;
}

/** A larger statement would delay other statements on its connection. */
const mostTogether = 200;

/** With the cache, revocations on other instances take effect within a second. */
export async function createAuthenticator({
  database,
  keyring,
  now,
  metrics,
  defer,
  cached,
}: AuthenticatorDeps): Promise<Authenticator> {
  const caches = new Set<{ forget(revocation: Revocation): void; clear(): void }>();
  const forget = (revocation: Revocation) => {
    for (const cache of caches) cache.forget(revocation);
  };
  const clear = () => {
    for (const cache of caches) cache.clear();
  };
  const bus = await createRevocationBus({ database, now }, forget, clear);
  const createCache = <Value>(cache: "tokens" | "applications") =>
    createLivenessCache<Value>(now, bus.pending, (outcome) =>
      metrics.cacheLookups.labels(cache, outcome).inc(),
    );
  const tokens = createCache<Authentication>("tokens");
  const clients = createCache<RegisteredClient>("applications");
  caches.add(tokens).add(clients);

  // Calls of one event-loop turn share a statement: separate statements took more than a third of a
  // call's CPU time.
  const finder = new DataLoader<readonly string[], LiveAccessToken | undefined>(
    async (asked) => {
      const found = await findAccessTokens(database, asked.flat(), now());
      return asked.map((hashes) => hashes.map((hash) => found.get(hash)).find(Boolean));
    },
    { cache: false, batchScheduleFn: setImmediate, maxBatchSize: mostTogether },
  );

  const find = async (token: string): Promise<Authentication | undefined> => {
    const hashes = keyring.hmacs("token", token);
    // One query for all hashes, because a concurrent call could move the row between two queries.
    const found = await finder.load(hashes);
    if (!found) return undefined;
    const { hash, actor, refused, status, player, expiresAt } = found;
    // Rehashed with the current server secret, the token survives the next rotation.
    if (hash !== hashes[0])
      defer(() =>
        rehashAccessToken(database.query, { from: hash, to: keyring.hmac("token", token) }),
      );
    if (!refused) return { actor, status, player, expiresAt };
    // A faction blocks only its data; the player's own scopes stay open.
    const scopes = actor.scopes.filter((scope) => !isFactionScope(scope));
    const withheld = actor.scopes.filter(isFactionScope);
    return { actor: { ...actor, scopes }, withheld, status, player, expiresAt };
  };
  return {
    authenticate: async (token) => {
      // The checksum refuses made-up tokens without a query.
      if (!hasSecretForm("access", token)) return undefined;
      if (!cached) return find(token);
      return tokens.get(token, async () => {
        const value = await find(token);
        if (!value) return undefined;
        const subject = { ...value.actor, factionId: value.player.factionId };
        return { value, subject, expiresAt: value.expiresAt };
      });
    },
    findClient: async (clientId) => {
      if (!isClientId(clientId)) return undefined;
      if (!cached) return findClient(database, clientId, now());
      return clients.get(clientId, async () => {
        const value = await findClient(database, clientId, now());
        return value && { value, subject: { clientId }, expiresAt: null };
      });
    },
    announceRevocation: bus.announce,
    watch: (onRevoked) => {
      caches.add({
        forget: (revocation) => onRevoked((subject) => touches(revocation, subject)),
        clear: () => onRevoked(() => true),
      });
    },
    // A player's record affects rights only through the faction, which matters to tokens alone.
    forget: (changed) => ("playerId" in changed ? tokens.forget(changed) : forget(changed)),
  };
}

export type RevocationSubject = Partial<Omit<TokenHolder, "kind" | "scopes">> & {
  readonly factionId?: number | null | undefined;
};

type Changed = Parameters<TokenService["forget"]>[0];

interface Remembered<Value> {
  readonly value: Value;
  readonly subject: RevocationSubject;
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
 * Misses are not cached. An entry lives 800 ms from the start of its query, and is not kept after a
 * concurrent revocation.
 * @param pending announced revocations that the database may not show yet
 */
export function createLivenessCache<Value>(
  now: () => Date,
  pending: () => readonly Revocation[],
  count: (outcome: "hit" | "miss") => void = () => {},
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
        count("hit");
        return entry.value;
      }
      const since = now().getTime();
      count("miss");
      const query: Query = { revoked: [], cleared: false };
      underWay.add(query);
      try {
        const found = await load();
        const isRevoked = (revocation: Changed) => found && touches(revocation, found.subject);
        if (found && !query.cleared && ![...query.revoked, ...pending()].some(isRevoked))
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

/** Refreshes forget by grant and game updates by player, so both ids have an index. */
const placesOf = ({ grantId, playerId }: RevocationSubject): string[] => [
  ...(grantId === undefined ? [] : [`grant ${grantId}`]),
  ...(playerId === undefined ? [] : [`player ${playerId}`]),
];

/** If a change names several ids, one match is enough. */
const touches = (revocation: Changed, subject: RevocationSubject): boolean =>
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
 * @param onRevocation called at an announcement here, at its commit, and for other instances
 * @param onDrop called when messages may have been lost
 */
async function createRevocationBus(
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
    /** Takes effect here at the commit, and on other instances at most a second later. */
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
    /** Revocations that may not have committed yet. */
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
