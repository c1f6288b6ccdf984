import { deliverChat } from "#server/chat/deliver-message";
import { refreshChatServers } from "#server/chat/refresh-servers";
import { dropOldEvents } from "#server/event-log/retention";
import { closeRetaliations } from "#server/faction/attacks/read-attacks";
import { expireVaultRequests } from "#server/faction/banking/request-acts";
import { verifyPayments } from "#server/faction/banking/verify-payments";
import { showEvents } from "#server/faction/chat-events/show-events";
import { refreshCrimeTypes } from "#server/faction/crimes/refresh-crimes";
import {
  readCrimes,
  readFactionAttacks,
  readPositions,
  refreshMembers,
} from "#server/faction/read-factions";
import { notifyExpiringSecrets } from "#server/oauth/clients/secrets/notify-expiring-secrets";
import { countTraffic } from "#server/oauth/clients/traffic/jobs/count-traffic";
import { notifyErrorJumps } from "#server/oauth/clients/traffic/jobs/notify-error-jumps";
import { watchDomains } from "#server/oauth/clients/verification/watch-domains";
import { notifyExpiredGrants } from "#server/oauth/grants/jobs/notify-expired-grants";
import { readOpponents } from "#server/stats/estimates/read-opponents";
import { renewEstimateModel } from "#server/stats/estimates/renew-model";
import { readOwnFights } from "#server/stats/own-fights/read-own-fights";
import { refreshPrices } from "#server/stocks/refresh-prices";
import { refreshStocks } from "#server/stocks/refresh-stocks";
import { keepPartitions } from "#server/sweeper/log-partitions";
import { sweepExpired } from "#server/sweeper/run-sweeps";
import { refreshUsers } from "#server/users/jobs/refresh-users";
import { retestKeys } from "#server/users/jobs/retest-keys";
import { watchWebhooks } from "#server/webhooks/disable-endpoint";
import type { Job } from "./job";

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
  notifyExpiringSecrets,
  countTraffic,
  notifyErrorJumps,
  dropOldEvents,
  watchWebhooks,
  watchDomains,
  sweepExpired,
  keepPartitions,
];
