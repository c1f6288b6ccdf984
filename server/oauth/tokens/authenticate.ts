import DataLoader from "dataloader";
import type { Authentication, Context, Revocation, Tokens } from "#server/context";
import { cacheCounts } from "#server/platform/metrics";
import { isSecretText } from "#server/platform/secret-text";
import { isOfFaction } from "#server/scopes";
import { isClientId, type RegisteredClient } from "../clients/client";
import { findClient } from "../clients/store";
import {
  createLivenessCache,
  createRevocationBus,
  type Remembered,
  type RevocableRights,
  touches,
} from "./liveness-cache";
import { findAccessTokens, type LiveAccessToken, moveAccessToken } from "./store";

type AuthenticatorDeps = Pick<Context, "database" | "keyring" | "now" | "metrics" | "defer"> & {
  readonly cached: boolean;
};

export interface Authenticator extends Omit<Tokens, "requestTime"> {
  watch(onRevoked: (touched: (subject: RevocableRights) => boolean) => void): void;
}

/** With the cache, revocations on other instances take effect within a second. */
export async function createAuthenticator(deps: AuthenticatorDeps): Promise<Authenticator> {
  const { database, now } = deps;
  const caches = new Set<Pick<ReturnType<typeof createLivenessCache>, "forget" | "clear">>();
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

  // Calls of one event-loop turn share a statement: separate ones took more than a third of a
  // call's CPU time.
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
      // The checksum refuses made-up tokens without a query.
      if (!isSecretText("access", token)) return undefined;
      if (!deps.cached) return find(token);
      return tokens.get(token, async () => {
        const found = await find(token);
        if (!found) return undefined;
        const subject = { ...found.actor, factionId: found.player?.factionId };
        return { value: found, subject, expiresAt: found.expiresAt ?? null };
      });
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
    // A player's record changes no rights but the faction's say over tokens.
    forget: (changed) => ("playerId" in changed ? tokens.forget(changed) : forget(changed)),
  };
}

type TokenFinder = DataLoader<readonly string[], LiveAccessToken | undefined>;

/** A larger statement would delay others on its connection. */
const mostTogether = 200;

/** Moves a row to the current server secret, so that it survives the next rotation. */
async function lookUp(
  deps: AuthenticatorDeps & { readonly finder: TokenFinder },
  token: string,
): Promise<Authentication | undefined> {
  const hashes = deps.keyring.hmacs("token", token);
  // One query for all hashes: a concurrent call could move the row between two.
  const found = await deps.finder.load(hashes);
  if (!found) return undefined;
  const { hash, status, player, expiresAt } = found;
  if (hash !== hashes[0])
    deps.defer(() =>
      moveAccessToken(deps.database.query, { from: hash, to: deps.keyring.hmac("token", token) }),
    );
  const { actor, withheld } = withoutRefused(found);
  return { actor, withheld, status, player, expiresAt };
}

/** A faction refuses its data alone; the player's own scopes stay open. */
function withoutRefused({ actor, refused }: Pick<LiveAccessToken, "actor" | "refused">) {
  if (!refused) return { actor, withheld: undefined };
  const withheld = actor.scopes.filter(isOfFaction);
  const scopes = actor.scopes.filter((scope) => !withheld.includes(scope));
  return { actor: { ...actor, scopes }, withheld };
}
