import { and, asc, desc, eq, gte } from "drizzle-orm";
import type { Queryable } from "#db/client";
import {
  accounts,
  chatIdentities,
  gameKeys,
  notices,
  passkeys,
  secondFactors,
  sessions,
  switches,
} from "#db/schema/accounts";
import { factionAccess } from "#db/schema/faction";
import {
  applicationDomains,
  applicationMembers,
  applicationReports,
  applicationSecrets,
  applications,
  applicationTesters,
  authorizationRequests,
  consents,
  grants,
  verificationRequests,
} from "#db/schema/oauth";
import { requestLog } from "#db/schema/operations";
import { players } from "#db/schema/players";
import { webhookEndpoints } from "#db/schema/webhooks";
import { countUnused } from "#server/work/proofs";

/* Columns are listed, so that a new one, which may be a secret, is not exported by default. */

export async function readPerson(on: Queryable, accountId: string) {
  const [row] = await on
    .select({
      account: {
        id: accounts.id,
        createdAt: accounts.createdAt,
        lastSignInAt: accounts.lastSignInAt,
        signInPlaces: accounts.signInPlaces,
        ...switches,
      },
      player: {
        id: players.id,
        name: players.name,
        level: players.level,
        factionId: players.factionId,
        positionName: players.positionName,
        factionApiAccess: players.factionApiAccess,
        chatId: players.chatId,
        status: players.status,
        lastAction: players.lastAction,
        lastRefresh: players.lastRefresh,
      },
    })
    .from(accounts)
    .innerJoin(players, eq(players.id, accounts.playerId))
    .where(eq(accounts.id, accountId));
  return row;
}

export const readKeys = (on: Queryable, accountId: string) =>
  on
    .select({
      lastFour: gameKeys.lastFour,
      level: gameKeys.level,
      type: gameKeys.type,
      selections: gameKeys.selections,
      factionApiAccess: gameKeys.factionApiAccess,
      state: gameKeys.state,
      lastError: gameKeys.lastError,
      lastOkAt: gameKeys.lastOkAt,
      createdAt: gameKeys.createdAt,
    })
    .from(gameKeys)
    .where(eq(gameKeys.accountId, accountId))
    .orderBy(asc(gameKeys.createdAt));

export async function readSignIns(on: Queryable, accountId: string) {
  const { createdAt, authenticatedAt, confirmedAt, secondFactorAt, expiresAt, address, userAgent } =
    sessions;
  const { chatId, linkedAt, lastSignInAt } = chatIdentities;
  const [chatAccount = null] = await on
    .select({ chatId, linkedAt, lastSignInAt })
    .from(chatIdentities)
    .where(eq(chatIdentities.accountId, accountId));
  const [factor] = await on
    .select({ confirmedAt: secondFactors.confirmedAt })
    .from(secondFactors)
    .where(eq(secondFactors.accountId, accountId));
  return {
    chatAccount,
    secondFactor: {
      since: factor?.confirmedAt ?? null,
      backupCodesLeft: await countUnused(on, accountId, "backup-code"),
    },
    passkeys: await on
      .select({
        name: passkeys.name,
        backedUp: passkeys.backedUp,
        createdAt: passkeys.createdAt,
        address: passkeys.address,
        userAgent: passkeys.userAgent,
        confirmedAt: passkeys.confirmedAt,
        lastUsedAt: passkeys.lastUsedAt,
      })
      .from(passkeys)
      .where(eq(passkeys.accountId, accountId))
      .orderBy(asc(passkeys.createdAt)),
    sessions: await on
      .select({
        createdAt,
        authenticatedAt,
        confirmedAt,
        secondFactorAt,
        expiresAt,
        address,
        userAgent,
      })
      .from(sessions)
      .where(eq(sessions.accountId, accountId))
      .orderBy(desc(sessions.authenticatedAt)),
  };
}

const application = { clientId: applications.clientId, name: applications.name };

/** Topics that are not sent as chat messages, and the account's own webhook. */
export async function readNotifications(on: Queryable, accountId: string) {
  const { chatSilenced } = accounts;
  const [account] = await on
    .select({ chatSilenced })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  const { url, types, state, createdAt, lastSuccessAt } = webhookEndpoints;
  const [webhook = null] = await on
    .select({ url, types, state, createdAt, lastSuccessAt })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.accountId, accountId));
  return { notifications: { chatSilenced: account?.chatSilenced ?? [], webhook } };
}

export async function readConsents(on: Queryable, accountId: string) {
  const allowed = await on
    .select({
      id: consents.id,
      application,
      scopes: consents.scopes,
      approvedScopes: consents.approvedScopes,
      createdAt: consents.createdAt,
      lastUsedAt: consents.lastUsedAt,
      until: consents.until,
      pausedAt: consents.pausedAt,
      revokedAt: consents.revokedAt,
    })
    .from(consents)
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .where(eq(consents.accountId, accountId))
    .orderBy(asc(consents.createdAt));
  const devices = await on
    .select({
      consentId: grants.consentId,
      scopes: grants.scopes,
      createdAt: grants.createdAt,
      absoluteExpiry: grants.absoluteExpiry,
      revokedAt: grants.revokedAt,
      revokedFor: grants.revokedFor,
    })
    .from(grants)
    .innerJoin(consents, eq(consents.id, grants.consentId))
    .where(eq(consents.accountId, accountId))
    .orderBy(asc(grants.createdAt));
  const requests = await on
    .select({
      application,
      scopes: authorizationRequests.scopes,
      createdAt: authorizationRequests.createdAt,
      decidedAt: authorizationRequests.decidedAt,
    })
    .from(authorizationRequests)
    .innerJoin(applications, eq(applications.clientId, authorizationRequests.clientId))
    .where(eq(authorizationRequests.accountId, accountId));
  return {
    consents: allowed.map(({ id, ...consent }) => ({
      ...consent,
      grants: devices
        .filter((grant) => grant.consentId === id)
        .map(({ consentId: _, ...grant }) => grant),
    })),
    requests,
    /** `*` means all other applications. */
    factionDecisions: await on
      .select({
        factionId: factionAccess.factionId,
        clientId: factionAccess.clientId,
        blocked: factionAccess.blocked,
        decidedAt: factionAccess.decidedAt,
      })
      .from(factionAccess)
      .where(eq(factionAccess.decidedBy, accountId))
      .orderBy(asc(factionAccess.decidedAt)),
  };
}

export async function readApplications(on: Queryable, accountId: string) {
  const { clientId, kind, name, description, emblemSign, emblemColour } = applications;
  const { redirectUris, scopes, optionalScopes } = applications;
  const { clientUri, tosUri, privacyUri, privacy } = applications;
  const { createdAt, updatedAt, verifiedAt, openedAt, suspendedAt, suspendedFor, deletedAt } =
    applications;
  const own = await on
    .select({
      ...{ clientId, kind, name, description, emblemSign, emblemColour },
      ...{ redirectUris, scopes, optionalScopes },
      ...{ clientUri, tosUri, privacyUri, privacy },
      ...{ createdAt, updatedAt, verifiedAt, openedAt, suspendedAt, suspendedFor, deletedAt },
      verifiedAs: applications.verifiedAs,
      domain: {
        domain: applicationDomains.domain,
        provenAt: applicationDomains.provenAt,
        provenBy: applicationDomains.provenBy,
        seenAt: applicationDomains.seenAt,
        checkedAt: applicationDomains.checkedAt,
      },
      verificationRequest: {
        requestedAt: verificationRequests.requestedAt,
        outcome: verificationRequests.outcome,
        closedAt: verificationRequests.closedAt,
        reason: verificationRequests.reason,
      },
    })
    .from(applications)
    .leftJoin(applicationDomains, eq(applicationDomains.clientId, applications.clientId))
    .leftJoin(verificationRequests, eq(verificationRequests.clientId, applications.clientId))
    .where(eq(applications.ownerId, accountId))
    .orderBy(asc(applications.createdAt));
  const secrets = await on
    .select({
      clientId: applicationSecrets.clientId,
      name: applicationSecrets.name,
      createdAt: applicationSecrets.createdAt,
      lastUsedAt: applicationSecrets.lastUsedAt,
      expiresAt: applicationSecrets.expiresAt,
      deletedAt: applicationSecrets.deletedAt,
    })
    .from(applicationSecrets)
    .innerJoin(applications, eq(applications.clientId, applicationSecrets.clientId))
    .where(eq(applications.ownerId, accountId))
    .orderBy(asc(applicationSecrets.createdAt));
  return own.map((row) => ({
    ...row,
    secrets: secrets
      .filter((secret) => secret.clientId === row.clientId)
      .map(({ clientId: _, ...rest }) => rest),
  }));
}

/** Applications of others, with invitations. */
export const readTeams = (on: Queryable, accountId: string) =>
  on
    .select({
      application,
      role: applicationMembers.role,
      invitedAt: applicationMembers.invitedAt,
      joinedAt: applicationMembers.joinedAt,
      offeredAt: applicationMembers.offeredAt,
    })
    .from(applicationMembers)
    .innerJoin(applications, eq(applications.clientId, applicationMembers.clientId))
    .where(eq(applicationMembers.accountId, accountId))
    .orderBy(asc(applicationMembers.invitedAt));

export const readReports = (on: Queryable, accountId: string) =>
  on
    .select({
      application,
      reason: applicationReports.reason,
      text: applicationReports.text,
      createdAt: applicationReports.createdAt,
      reportedAt: applicationReports.reportedAt,
      closedAt: applicationReports.closedAt,
      outcome: applicationReports.outcome,
    })
    .from(applicationReports)
    .innerJoin(applications, eq(applications.clientId, applicationReports.clientId))
    .where(eq(applicationReports.accountId, accountId))
    .orderBy(asc(applicationReports.createdAt));

/** Applications that the player may approve before they are opened. */
export const readTests = (on: Queryable, accountId: string) =>
  on
    .select({ application, addedAt: applicationTesters.addedAt })
    .from(applicationTesters)
    .innerJoin(applications, eq(applications.clientId, applicationTesters.clientId))
    .where(eq(applicationTesters.accountId, accountId))
    .orderBy(asc(applicationTesters.addedAt));

export async function readHistory(
  on: Queryable,
  accountId: string,
  most: { lines: number; since: Date },
) {
  const { lines, since } = most;
  return {
    notices: await on
      .select({
        kind: notices.kind,
        text: notices.text,
        createdAt: notices.createdAt,
        readAt: notices.readAt,
      })
      .from(notices)
      .where(eq(notices.accountId, accountId))
      .orderBy(desc(notices.createdAt))
      .limit(lines),
    calls: await on
      .select({
        at: requestLog.at,
        requestId: requestLog.requestId,
        method: requestLog.method,
        route: requestLog.route,
        status: requestLog.status,
        clientId: requestLog.clientId,
      })
      .from(requestLog)
      .where(and(eq(requestLog.accountId, accountId), gte(requestLog.at, since)))
      .orderBy(desc(requestLog.at), desc(requestLog.id))
      .limit(lines),
  };
}
