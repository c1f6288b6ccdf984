import type { PartitionedLog } from "#db/partitions";
import type { Scan, Sweep } from "#db/sweep";
import { auditLogPartitions } from "#server/audit/store";
import { authSweeps } from "#server/auth/store";
import { chatSweeps } from "#server/chat/store";
import { factionSweeps } from "#server/faction/store";
import { gameSweeps } from "#server/game/store";
import { figureSweeps } from "#server/health/minute-metrics/store";
import { instanceSweeps } from "#server/health/presence-store";
import { jobSweeps } from "#server/jobs/store";
import { trafficSweeps } from "#server/oauth/clients/traffic/store";
import { oauthScans, oauthSweeps } from "#server/oauth/sweep-store";
import { requestLogPartitions, restSweeps } from "#server/rest/store";
import { stockSweeps } from "#server/stocks/store";
import { userSweeps } from "#server/users/sweep-store";
import { webhookSweeps } from "#server/webhooks/deliveries-store";

/** Everything that time makes useless. */
export const sweeps: readonly Sweep[] = [
  ...oauthSweeps,
  ...authSweeps,
  ...trafficSweeps,
  ...restSweeps,
  ...jobSweeps,
  ...instanceSweeps,
  ...figureSweeps,
  ...gameSweeps,
  ...stockSweeps,
  ...chatSweeps,
  ...factionSweeps,
  ...userSweeps,
  ...webhookSweeps,
];

export const scans: readonly Scan[] = oauthScans;

/** What is not deleted row by row, but dropped with its partition. */
export const partitionedLogs: readonly PartitionedLog[] = [requestLogPartitions, auditLogPartitions];
