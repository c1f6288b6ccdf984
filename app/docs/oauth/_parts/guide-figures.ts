import { formatDuration, formatNumber } from "#app/_lib/format";
import { requestMilliseconds } from "#server/oauth/authorize/pending-authorization";
import { approvalDays } from "#server/oauth/consents/approval-days";
import { maxBodyBytes } from "#server/oauth/form-body";
import { duplicateMilliseconds } from "#server/oauth/grants/authorization-code";
import { maxRedirectUris } from "#server/oauth/redirect-uri";
import type { Lifetimes, Rates } from "#server/platform/environment-variables";
import { daySeconds } from "#server/platform/time";

/** From the settings and the constants that enforce them. */
export const guideFigures = (settings: {
  readonly lifetimes: Lifetimes;
  readonly rates: Rates;
}) => {
  const { lifetimes, rates } = settings;
  const aMinute = (calls: number) => `${formatNumber(calls)} a minute`;
  return {
    code: formatDuration(lifetimes.code),
    duplicate: formatDuration(duplicateMilliseconds / 1_000),
    access: formatDuration(lifetimes.access),
    accessSeconds: lifetimes.access,
    accessPublic: formatDuration(lifetimes.accessPublic),
    refreshIdle: formatDuration(lifetimes.refreshIdle),
    refreshMax: formatDuration(lifetimes.refreshMax),
    reuse: formatDuration(lifetimes.refreshReuse),
    request: formatDuration(requestMilliseconds / 1_000),
    approvals: [approvalDays.day, approvalDays.month]
      .map((days) => formatDuration(days * daySeconds))
      .join(" or "),
    redirectUris: maxRedirectUris,
    body: `${maxBodyBytes / 1_024} KB`,
    authorizations: aMinute(rates.authorize),
    clientCalls: aMinute(rates.client),
    clientFailures: aMinute(rates.clientFailures),
  };
};
export type GuideFigures = ReturnType<typeof guideFigures>;
