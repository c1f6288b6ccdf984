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
  switchColumns,
} from "#db/schema/accounts";
import { factionAccess, vaultRequests } from "#db/schema/faction";
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
import { battleStats, personalStats, statEntries, statEstimates } from "#db/schema/stats";
import { webhookEndpoints } from "#db/schema/webhooks";
import { columnsOf, first } from "#db/select";
import { countUnusedProofs } from "#server/work/proofs";

/* Columns are named, so that a new one, which may be a secret, is not exported by default. */

interface Most {
  /** Most lines of each kind, because a busy player's month would not fit into a download. */
  readonly lines: number;
  readonly since: Date;
}

/** @returns undefined without such an account */
export async function readAccountData(on: Queryable, accountId: string, most: Most) {
  const person = await readPerson(on, accountId);
  return (
    person && {
      ...person,
      stats: await readStats(on, person.player.id, most.lines),
      gameKeys: await readKeys(on, accountId),
      ...(await readSignIns(on, accountId)),
      notifications: await readNotifications(on, accountId),
      ...(await readConsents(on, accountId)),
      applications: await readApplications(on, accountId),
      ...(await readTies(on, accountId)),
      vaultRequests: await readVaultRequests(on, person.player.id, most.lines),
      ...(await readHistory(on, accountId, most)),
    }
  );
}

const readPerson = (on: Queryable, accountId: string) =>
  first(
    on
      .select({
        account: {
          ...columnsOf(accounts, ["id", "createdAt", "lastSignInAt", "signInPlaces"]),
          ...switchColumns,
        },
        player: {
          ...columnsOf(players, ["id", "name", "level", "factionId", "positionName"]),
          ...columnsOf(players, ["factionApiAccess", "chatId", "status"]),
          ...columnsOf(players, ["lastAction", "lastRefresh"]),
        },
      })
      .from(accounts)
      .innerJoin(players, eq(players.id, accounts.playerId))
      .where(eq(accounts.id, accountId)),
  );

const readKeys = (on: Queryable, accountId: string) =>
  on
    .select(
      columnsOf(gameKeys, [
        "lastFour",
        "level",
        "type",
        "selections",
        "factionApiAccess",
        "state",
        "lastError",
        "lastOkAt",
        "createdAt",
      ]),
    )
    .from(gameKeys)
    .where(eq(gameKeys.accountId, accountId))
    .orderBy(asc(gameKeys.createdAt));

async function readSignIns(on: Queryable, accountId: string) {
  const chatAccount = await first(
    on
      .select(columnsOf(chatIdentities, ["chatId", "linkedAt", "lastSignInAt"]))
      .from(chatIdentities)
      .where(eq(chatIdentities.accountId, accountId)),
  );
  const factor = await first(
    on
      .select({ since: secondFactors.confirmedAt })
      .from(secondFactors)
      .where(eq(secondFactors.accountId, accountId)),
  );
  return {
    chatAccount: chatAccount ?? null,
    secondFactor: {
      since: factor?.since ?? null,
      backupCodesLeft: await countUnusedProofs(on, accountId, "backup-code"),
    },
    passkeys: await on
      .select({
        ...columnsOf(passkeys, ["name", "backedUp", "createdAt", "address", "userAgent"]),
        ...columnsOf(passkeys, ["confirmedAt", "lastUsedAt"]),
      })
      .from(passkeys)
      .where(eq(passkeys.accountId, accountId))
      .orderBy(asc(passkeys.createdAt)),
    sessions: await on
      .select({
        ...columnsOf(sessions, ["createdAt", "authenticatedAt", "confirmedAt"]),
        ...columnsOf(sessions, ["secondFactorAt", "expiresAt", "address", "userAgent"]),
      })
      .from(sessions)
      .where(eq(sessions.accountId, accountId))
      .orderBy(desc(sessions.authenticatedAt)),
  };
}

const application = columnsOf(applications, ["clientId", "name"]);

/** Topics that are not sent as chat messages, and the account's own webhook. */
async function readNotifications(on: Queryable, accountId: string) {
  const account = await first(
    on
      .select({ chatSilenced: accounts.chatSilenced })
      .from(accounts)
      .where(eq(accounts.id, accountId)),
  );
  const webhook = await first(
    on
      .select(columnsOf(webhookEndpoints, ["url", "types", "state", "createdAt", "lastSuccessAt"]))
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.accountId, accountId)),
  );
  return { chatSilenced: account?.chatSilenced ?? [], webhook: webhook ?? null };
}

async function readConsents(on: Queryable, accountId: string) {
  const allowed = await on
    .select({
      id: consents.id,
      application,
      ...columnsOf(consents, [
        "scopes",
        "approvedScopes",
        "createdAt",
        "lastUsedAt",
        "until",
        "pausedAt",
        "revokedAt",
      ]),
    })
    .from(consents)
    .innerJoin(applications, eq(applications.clientId, consents.clientId))
    .where(eq(consents.accountId, accountId))
    .orderBy(asc(consents.createdAt));
  const devices = await on
    .select(
      columnsOf(grants, [
        "consentId",
        "scopes",
        "createdAt",
        "absoluteExpiry",
        "revokedAt",
        "revokedFor",
      ]),
    )
    .from(grants)
    .innerJoin(consents, eq(consents.id, grants.consentId))
    .where(eq(consents.accountId, accountId))
    .orderBy(asc(grants.createdAt));
  const requests = await on
    .select({
      application,
      ...columnsOf(authorizationRequests, ["scopes", "createdAt", "decidedAt"]),
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
      .select(columnsOf(factionAccess, ["factionId", "clientId", "blocked", "decidedAt"]))
      .from(factionAccess)
      .where(eq(factionAccess.decidedBy, accountId))
      .orderBy(asc(factionAccess.decidedAt)),
  };
}

async function readApplications(on: Queryable, accountId: string) {
  const own = await on
    .select({
      ...columnsOf(applications, ["clientId", "kind", "name", "description"]),
      ...columnsOf(applications, ["emblemSign", "emblemColour", "redirectUris"]),
      ...columnsOf(applications, ["scopes", "optionalScopes"]),
      ...columnsOf(applications, ["clientUri", "tosUri", "privacyUri", "privacy"]),
      ...columnsOf(applications, ["createdAt", "updatedAt", "verifiedAt", "verifiedAs"]),
      ...columnsOf(applications, ["openedAt", "suspendedAt", "suspendedFor", "deletedAt"]),
      domain: columnsOf(applicationDomains, [
        "domain",
        "provenAt",
        "provenBy",
        "seenAt",
        "checkedAt",
      ]),
      verificationRequest: columnsOf(verificationRequests, [
        "requestedAt",
        "outcome",
        "closedAt",
        "reason",
      ]),
    })
    .from(applications)
    .leftJoin(applicationDomains, eq(applicationDomains.clientId, applications.clientId))
    .leftJoin(verificationRequests, eq(verificationRequests.clientId, applications.clientId))
    .where(eq(applications.ownerId, accountId))
    .orderBy(asc(applications.createdAt));
  const secrets = await on
    .select(
      columnsOf(applicationSecrets, [
        "clientId",
        "name",
        "createdAt",
        "lastUsedAt",
        "expiresAt",
        "deletedAt",
      ]),
    )
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

async function readTies(on: Queryable, accountId: string) {
  return {
    /** Includes invitations, excludes own applications. */
    teams: await on
      .select({
        application,
        ...columnsOf(applicationMembers, ["role", "invitedAt", "joinedAt", "offeredAt"]),
      })
      .from(applicationMembers)
      .innerJoin(applications, eq(applications.clientId, applicationMembers.clientId))
      .where(eq(applicationMembers.accountId, accountId))
      .orderBy(asc(applicationMembers.invitedAt)),
    /** Applications that the player may approve before they are opened. */
    tests: await on
      .select({ application, addedAt: applicationTesters.addedAt })
      .from(applicationTesters)
      .innerJoin(applications, eq(applications.clientId, applicationTesters.clientId))
      .where(eq(applicationTesters.accountId, accountId))
      .orderBy(asc(applicationTesters.addedAt)),
    reports: await on
      .select({
        application,
        ...columnsOf(applicationReports, ["reason", "text", "createdAt", "reportedAt"]),
        ...columnsOf(applicationReports, ["closedAt", "outcome"]),
      })
      .from(applicationReports)
      .innerJoin(applications, eq(applications.clientId, applicationReports.clientId))
      .where(eq(applicationReports.accountId, accountId))
      .orderBy(asc(applicationReports.createdAt)),
  };
}

async function readHistory(on: Queryable, accountId: string, { lines, since }: Most) {
  return {
    notices: await on
      .select(columnsOf(notices, ["kind", "text", "createdAt", "readAt"]))
      .from(notices)
      .where(eq(notices.accountId, accountId))
      .orderBy(desc(notices.createdAt))
      .limit(lines),
    calls: await on
      .select(columnsOf(requestLog, ["at", "requestId", "method", "route", "status", "clientId"]))
      .from(requestLog)
      .where(and(eq(requestLog.accountId, accountId), gte(requestLog.at, since)))
      .orderBy(desc(requestLog.at), desc(requestLog.id))
      .limit(lines),
  };
}

/**
 * Reads stats from the player's key, public data and the model, without a faction's private stats.
 */
async function readStats(on: Queryable, playerId: number, lines: number) {
  const own = await first(
    on
      .select(columnsOf(battleStats, ["strength", "defense", "speed", "dexterity", "score", "at"]))
      .from(battleStats)
      .where(eq(battleStats.playerId, playerId)),
  );
  const days = await on
    .select(columnsOf(personalStats, ["day", "counters"]))
    .from(personalStats)
    .where(eq(personalStats.playerId, playerId))
    .orderBy(desc(personalStats.day));
  const estimate = await first(
    on
      .select(columnsOf(statEstimates, ["score", "at"]))
      .from(statEstimates)
      .where(eq(statEstimates.playerId, playerId)),
  );
  const seenByEverybody = await on
    .select({ score: statEntries.score, seenAt: statEntries.timeAdded })
    .from(statEntries)
    .where(
      and(
        eq(statEntries.playerId, playerId),
        eq(statEntries.visibleTo, 0),
        eq(statEntries.lowerBound, false),
      ),
    )
    .orderBy(desc(statEntries.timeAdded), desc(statEntries.id))
    .limit(lines);
  const told = await on.$count(statEntries, eq(statEntries.contributorId, playerId));
  return {
    battleStats: own ?? null,
    personalStats: days,
    estimate: estimate ?? null,
    seenByEverybody,
    scoresToldByYourFights: told,
  };
}

const readVaultRequests = (on: Queryable, playerId: number, lines: number) =>
  on
    .select(
      columnsOf(vaultRequests, [
        "id",
        "factionId",
        "amount",
        "currency",
        "status",
        "requestedAt",
        "expiresAt",
        "closedAt",
        "closedBy",
        "reason",
        "verification",
      ]),
    )
    .from(vaultRequests)
    .where(eq(vaultRequests.playerId, playerId))
    .orderBy(desc(vaultRequests.requestedAt), desc(vaultRequests.id))
    .limit(lines);
