import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import type { Keyring } from "#server/platform/crypto/keyring";
import {
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsOf,
  extendSession,
  findSession,
  insertSession,
  renameSession,
  type SessionOwner,
  type StoredSession,
  selectSessions,
} from "./store";

/** What lucia carries along with a session and does not look into. */
export type SessionAttributes = Omit<StoredSession, "idHash" | "accountId" | "expiresAt">;
export type UserAttributes = Pick<SessionOwner, "playerId" | "bannedAt" | "secondFactorSince">;

/** What is stored of a session's token, and what stands for the session inside. */
export const sessionHash = (keyring: Keyring, token: string): string => keyring.hmac("session", token).hash;

/**
 * Keeps lucia's sessions in our table: under the hash of their id, and on our clock. Lucia reads the process's own clock and
 * takes no other, so every instant is carried over on its way in and out.
 * @param on the handle or the transaction that writes go to
 */
export function luciaAdapter(ctx: Pick<Context, "database" | "keyring" | "now">, on: Queryable) {
  const hashOf = (token: string) => sessionHash(ctx.keyring, token);
  const hashesOf = (token: string) => ctx.keyring.hmacs("session", token).map(({ hash }) => hash);
  const ahead = () => Date.now() - ctx.now().getTime();
  const toLucia = (ours: Date) => new Date(ours.getTime() + ahead());
  const toOurs = (lucias: Date) => new Date(lucias.getTime() - ahead());
  const record = (id: string, { accountId, expiresAt, ...rest }: StoredSession) => ({
    id,
    userId: accountId,
    expiresAt: toLucia(expiresAt),
    attributes: rest,
  });
  return {
    async getSessionAndUser(token: string): Promise<Found> {
      const found = await findSession(ctx.database, hashesOf(token));
      if (!found) return [null, null];
      // After a change of the server secret a session moves to the new one when it is used: nobody is signed out.
      if (found.idHash !== hashOf(token)) await renameSession(on, found.idHash, hashOf(token));
      const { playerId, bannedAt, secondFactorSince } = found;
      return [record(token, found), { id: found.accountId, attributes: { playerId, bannedAt, secondFactorSince } }];
    },
    // The tokens are not known here any more: these sessions bear their hashes for ids.
    getUserSessions: async (accountId: string): Promise<LuciaSession[]> =>
      (await selectSessions(on, accountId, ctx.now())).map((session) => record(session.idHash, session)),
    setSession: ({ id, userId, expiresAt, attributes }: LuciaSession): Promise<void> =>
      insertSession(on, { ...attributes, idHash: hashOf(id), accountId: userId, expiresAt: toOurs(expiresAt) }),
    updateSessionExpiration: (token: string, expiresAt: Date): Promise<void> =>
      extendSession(on, hashOf(token), toOurs(expiresAt)),
    deleteSession: (token: string): Promise<void> => deleteSession(on, hashesOf(token)),
    async deleteUserSessions(accountId: string): Promise<void> {
      await deleteSessionsOf(on, accountId);
    },
    deleteExpiredSessions: (): Promise<void> => deleteExpiredSessions(on, ctx.now()),
  };
}

interface LuciaSession {
  id: string;
  userId: string;
  expiresAt: Date;
  attributes: SessionAttributes;
}

type Found = [LuciaSession, { id: string; attributes: UserAttributes }] | [null, null];
