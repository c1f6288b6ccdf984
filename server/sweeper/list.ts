import { auditSweeps } from "#server/audit/sweep-store";
import { authSweeps } from "#server/auth/sweep-store";
import { chatSweeps } from "#server/chat/sweep-store";
import { factionSweeps } from "#server/faction/sweep-store";
import { gameSweeps } from "#server/game/sweep-store";
import { instanceSweeps } from "#server/instances/sweep-store";
import { jobSweeps } from "#server/jobs/sweep-store";
import { oauthSweeps, oauthWalks } from "#server/oauth/sweep-store";
import { restSweeps } from "#server/rest/sweep-store";
import { stockSweeps } from "#server/stocks/sweep-store";
import { userSweeps } from "#server/users/sweep-store";
import type { Sweep, Walk } from "./sweep";

/** Everything that time makes useless. */
export const sweeps: readonly Sweep[] = [
  ...oauthSweeps,
  ...authSweeps,
  ...restSweeps,
  ...auditSweeps,
  ...jobSweeps,
  ...instanceSweeps,
  ...gameSweeps,
  ...stockSweeps,
  ...chatSweeps,
  ...factionSweeps,
  ...userSweeps,
];

export const walks: readonly Walk[] = oauthWalks;
