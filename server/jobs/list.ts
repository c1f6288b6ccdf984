import { deliverChat, refreshChatServers } from "#server/chat/jobs/chat-jobs";
import { readFactionAttacks } from "#server/faction/attacks/jobs/read-faction-attacks";
import { expireVaultRequests } from "#server/faction/banking/jobs/expire-vault-requests";
import { verifyPayments } from "#server/faction/banking/jobs/verify-payments";
import { readCrimes } from "#server/faction/crimes/jobs/read-crimes";
import { refreshCrimeTypes } from "#server/faction/crimes/jobs/refresh-crime-types";
import { refreshMembers } from "#server/faction/jobs/refresh-members";
import { readPositions } from "#server/faction/positions/jobs/read-positions";
import { readOpponents } from "#server/stats/estimates/jobs/read-opponents";
import { renewEstimateModel } from "#server/stats/estimates/jobs/renew-estimate-model";
import { readOwnFights } from "#server/stats/jobs/read-own-fights";
import { refreshPrices } from "#server/stocks/jobs/refresh-prices";
import { refreshStocks } from "#server/stocks/jobs/refresh-stocks";
import { sweepExpired } from "#server/sweeper/jobs/sweep-expired";
import { refreshUsers } from "#server/users/jobs/refresh-users";
import { retestKeys } from "#server/users/jobs/retest-keys";
import type { Job } from "./job";

/** Every job, in reading order. */
export const jobs: readonly Job[] = [
  refreshUsers,
  refreshMembers,
  readPositions,
  readFactionAttacks,
  readOwnFights,
  readCrimes,
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
  sweepExpired,
];
