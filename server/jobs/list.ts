import { deliverChatJob } from "#server/chat/deliver-message";
import { refreshChatServersJob } from "#server/chat/refresh-servers";
import { dropOldEventsJob } from "#server/event-log/retention";
import { closeRetaliationsJob } from "#server/faction/attacks/read-attacks";
import { expireVaultRequestsJob } from "#server/faction/banking/request-acts";
import { verifyPaymentsJob } from "#server/faction/banking/verify-payments";
import { postEventCardsJob } from "#server/faction/chat-events/show-events";
import { refreshCrimeTypesJob } from "#server/faction/crimes/refresh-crimes";
import {
  readAttacksJob,
  readCrimesJob,
  readPositionsJob,
  refreshMembersJob,
} from "#server/faction/read-factions";
import { notifyExpiringSecretsJob } from "#server/oauth/clients/secrets/secret-acts";
import { countTrafficJob, notifyErrorJumpsJob } from "#server/oauth/clients/traffic/traffic-jobs";
import { watchDomainsJob } from "#server/oauth/clients/verification/domain-acts";
import { notifyExpiredGrantsJob } from "#server/oauth/grants/end-grants";
import { readOpponentsJob } from "#server/stats/estimates/read-opponents";
import { renewEstimateModelJob } from "#server/stats/estimates/renew-model";
import { readOwnFightsJob } from "#server/stats/own-fights/read-own-fights";
import { refreshPricesJob } from "#server/stocks/refresh-prices";
import { refreshStocksJob } from "#server/stocks/refresh-stocks";
import { keepPartitionsJob } from "#server/sweeper/log-partitions";
import { sweepExpiredJob } from "#server/sweeper/run-sweeps";
import { refreshUsersJob } from "#server/users/jobs/refresh-users";
import { retestKeysJob } from "#server/users/jobs/retest-keys";
import { watchWebhooksJob } from "#server/webhooks/disable-endpoint";
import type { Job } from "./job";

export const jobs: readonly Job[] = [
  refreshUsersJob,
  refreshMembersJob,
  readPositionsJob,
  readAttacksJob,
  readOwnFightsJob,
  readCrimesJob,
  closeRetaliationsJob,
  postEventCardsJob,
  refreshCrimeTypesJob,
  readOpponentsJob,
  renewEstimateModelJob,
  refreshStocksJob,
  refreshPricesJob,
  retestKeysJob,
  expireVaultRequestsJob,
  verifyPaymentsJob,
  refreshChatServersJob,
  deliverChatJob,
  notifyExpiredGrantsJob,
  notifyExpiringSecretsJob,
  countTrafficJob,
  notifyErrorJumpsJob,
  dropOldEventsJob,
  watchWebhooksJob,
  watchDomainsJob,
  sweepExpiredJob,
  keepPartitionsJob,
];
