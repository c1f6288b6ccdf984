import { deliverChat, refreshChatServers } from "#server/chat/jobs/chat-jobs";
import { dropOldEvents } from "#server/event-log/jobs/drop-old-events";
import { expireVaultRequests, verifyPayments } from "#server/faction/banking/jobs/vault-jobs";
import { showEvents } from "#server/faction/chat-events/show-events";
import { refreshCrimeTypes } from "#server/faction/crimes/jobs/refresh-crime-types";
import { closeRetaliations } from "#server/faction/jobs/close-retaliations";
import { readCrimes, readFactionAttacks, readPositions, refreshMembers } from "#server/faction/jobs/sync-jobs";
import { countTraffic } from "#server/oauth/clients/traffic/jobs/count-traffic";
import { notifyErrorJumps } from "#server/oauth/clients/traffic/jobs/notify-error-jumps";
import { notifyExpiredGrants } from "#server/oauth/grants/jobs/notify-expired-grants";
import { readOpponents } from "#server/stats/estimates/jobs/read-opponents";
import { renewEstimateModel } from "#server/stats/estimates/jobs/renew-estimate-model";
import { readOwnFights } from "#server/stats/jobs/read-own-fights";
import { refreshPrices, refreshStocks } from "#server/stocks/jobs/stock-jobs";
import { keepPartitions } from "#server/sweeper/jobs/keep-partitions";
import { sweepExpired } from "#server/sweeper/jobs/sweep-expired";
import { refreshUsers } from "#server/users/jobs/refresh-users";
import { retestKeys } from "#server/users/jobs/retest-keys";
import { watchWebhooks } from "#server/webhooks/jobs/watch-endpoints";
import type { Job } from "./job";

/** Every job, in reading order. */
export const jobs: readonly Job[] = [
  refreshUsers,
  refreshMembers,
  readPositions,
  readFactionAttacks,
  readOwnFights,
  readCrimes,
  closeRetaliations,
  showEvents,
  refreshCrimeTypes,
  readOpponents,
  renewEstimateModel,
  refreshStocks,
  refreshPrices,
  retestKeys,
  expireVaultRequests,
  verifyPayments,
  refreshChatServers,
  deliverChat,
  notifyExpiredGrants,
  countTraffic,
  notifyErrorJumps,
  dropOldEvents,
  watchWebhooks,
  sweepExpired,
  keepPartitions,
];
