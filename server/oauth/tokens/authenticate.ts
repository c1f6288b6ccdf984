import DataLoader from "dataloader";
import type { Database, Queryable } from "#db/client";
import type { Authentication, Revocation } from "#server/context";
import type { Ids } from "#server/platform/ids";
import type { Keyring } from "#server/platform/keyring";
import type { Log } from "#server/platform/log";
import { cacheCounts, type Metrics } from "#server/platform/metrics";
import { isSecretText } from "#server/platform/secret-text";
import { isClientId, type RegisteredClient } from "../clients/client";
import { findClient } from "../clients/store";
import {
  createLivenessCache,
  type LivenessCache,
  type Remembered,
  type RevocableRights,
  touches,
} from "./liveness-cache";
import { createRevocationBus } from "./revocation-bus";
import { findAccessTokens, type LiveAccessToken, moveAccessToken } from "./store";

export interface AuthenticatorDeps {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly ids: Ids;
  readonly now: () => Date;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly defer: (work: () => Promise<void>) => void;
  /** Whether answers are remembered for a moment. */
  readonly cached: boolean;
}

export interface Authenticator {
  /** The holder of this access token; undefined when it is unknown, expired or revoked, all alike. */
  authenticate(token: string): Promise<Authentication | undefined>;
  /** The application with this id; undefined when there is none, or it was deleted. */
  findClient(clientId: string): Promise<RegisteredClient | undefined>;
  /** Tells every instance that somebody's rights ended. In a transaction, at its commit. */
  announceRevocation(on: Queryable, revocation: Revocation): Promise<void>;
  /** Calls `onRevoked` when rights may have ended: `touched` says of whom. */
  watch(onRevoked: (touched: (subject: RevocableRights) => boolean) => void): void;
  /** Drops what this process remembers, for changes that reach the others within a second by themselves. */
  forget(revocation: Revocation): void;
}

/** Opens the lookup of tokens and applications. With the cache, rights that end elsewhere end here within a second. */
export async function createAuthenticator(deps: AuthenticatorDeps): Promise<Authenticator> {
  const { database, now } = deps;
  const caches = new Set<Pick<LivenessCache<unknown>, "forget" | "clear">>();
  const forget = (revocation: Revocation) => {
    for (const cache of caches) cache.forget(revocation);
  };
  const clear = () => {
    for (const cache of caches) cache.clear();
  };
  const bus = await createRevocationBus(deps, forget, clear);
  const tokens = createLivenessCache<Authentication>(
    now,
    bus.pending,
    cacheCounts(deps.metrics, "tokens"),
  );
  const clients = createLivenessCache<RegisteredClient>(
    now,
    bus.pending,
    cacheCounts(deps.metrics, "applications"),
  );
  caches.add(tokens).add(clients);

  // Calls that arrive in one turn of the event loop are looked up together: with a statement each, more than a third of a
  // call's processor time went into talking to PostgreSQL.
  const finder: TokenFinder = new DataLoader(
    async (tokensAsked) => {
      const found = await findAccessTokens(database, tokensAsked.flat(), now());
      return tokensAsked.map((hashes) => hashes.map((hash) => found.get(hash)).find(Boolean));
    },
    { cache: false, batchScheduleFn: setImmediate, maxBatchSize: mostTogether },
  );
  const finding = { ...deps, finder };
  const find = (token: string) => lookUp(finding, token);

  const loadClient = async (
    clientId: string,
  ): Promise<Remembered<RegisteredClient> | undefined> => {
    const value = await findClient(database, clientId, now());
    return value && { value, subject: { clientId }, expiresAt: null };
  };
  return {
    authenticate: async (token) => {
      // The checksum refuses mistyped and made-up tokens without a look into the database.
      if (!isSecretText("access", token)) return undefined;
      if (!deps.cached) return (await find(token))?.authentication;
      let justRead: Authentication | undefined;
      const remembered = await tokens.get(token, async () => {
        const found = await find(token);
        justRead = found?.authentication;
        return found && remember(found);
      });
      return justRead ?? remembered;
    },
    findClient: async (clientId) => {
      if (!isClientId(clientId)) return undefined;
      return deps.cached
        ? clients.get(clientId, () => loadClient(clientId))
        : (await loadClient(clientId))?.value;
    },
    announceRevocation: bus.announce,
    watch: (onRevoked) => {
      caches.add({
        forget: (revocation) => onRevoked((subject) => touches(revocation, subject)),
        clear: () => onRevoked(() => true),
      });
    },
    forget,
  };
}

/** Looks tokens up, each by its hashes under all server secrets in force, those of one moment together. */
type TokenFinder = DataLoader<readonly string[], LiveAccessToken | undefined>;

/** A statement with more would hold up the others on its connection. */
const mostTogether = 200;

interface FoundToken {
  readonly authentication: Authentication;
  readonly expiresAt: Date;
}

/** The player's record is left out: what a faction or a chat account is now, a memory must not say. */
function remember({ authentication, expiresAt }: FoundToken): Remembered<Authentication> {
  const { actor, status } = authentication;
  return { value: { actor, status, expiresAt }, subject: actor, expiresAt };
}

/** A row found under the previous server secret is moved to the current one, so that a later change does not end it. */
async function lookUp(
  deps: AuthenticatorDeps & { readonly finder: TokenFinder },
  token: string,
): Promise<FoundToken | undefined> {
  const prints = deps.keyring.hmacs("token", token);
  const [current] = prints;
  // Not one after the other: another call may move it between the two looks, and neither would find it.
  const found = await deps.finder.load(prints.map(({ hash }) => hash));
  if (!found) return undefined;
  const { hash, actor, status, player, expiresAt } = found;
  if (current && hash !== current.hash)
    deps.defer(() => moveAccessToken(deps.database.query, { from: hash, to: current }));
  return { authentication: { actor, status, player, expiresAt }, expiresAt };
}
