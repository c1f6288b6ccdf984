import type { PartitionedLog } from "#db/partitions";
import type { Sweep } from "#db/sweep";
import { auditLogPartitions } from "#server/audit/store";
import { authSweeps } from "#server/auth/store";
import { chatSweeps } from "#server/chat/store";
import { factionSweeps } from "#server/faction/store";
import { gameSweeps } from "#server/game/store";
import { instanceSweeps } from "#server/health/store";
import { jobSweeps } from "#server/jobs/store";
import { trafficSweeps } from "#server/oauth/clients/traffic/store";
import { oauthPagedSweeps, oauthSweeps, type PagedSweep } from "#server/oauth/sweep-store";
import { idempotencySweeps, requestLogPartitions } from "#server/rest/store";
import { stockSweeps } from "#server/stocks/store";
import { userSweeps } from "#server/users/store";
import { webhookSweeps } from "#server/webhooks/delivery-store";

export const sweeps: readonly Sweep[] = [
  ...oauthSweeps,
  ...authSweeps,
  ...trafficSweeps,
  ...idempotencySweeps,
  ...jobSweeps,
  ...instanceSweeps,
  ...gameSweeps,
  ...stockSweeps,
  ...chatSweeps,
  ...factionSweeps,
  ...userSweeps,
  ...webhookSweeps,
];

export const tableWalks: readonly PagedSweep[] = oauthPagedSweeps;

export const partitionedLogs: readonly PartitionedLog[] = [
  requestLogPartitions,
  auditLogPartitions,
];
