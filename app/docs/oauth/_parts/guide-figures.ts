import { figure } from "#lib/figure";
import { approvalDays } from "#server/oauth/authorize/approve-request";
import { requestMilliseconds } from "#server/oauth/authorize/park-request";
import { mostBodyBytes } from "#server/oauth/form-body";
import { duplicateMilliseconds } from "#server/oauth/grants/authorization-code";
import { mostRedirectUris } from "#server/oauth/redirect-uri";
import type { Lifetimes } from "#server/platform/env";
import type { Rates } from "#server/platform/rates";
import { durationInWords } from "../../_parts/duration-in-words";

const day = 86_400;

/** What the guide says in numbers, read from the settings and from the lines that enforce it. */
export const guideFigures = (settings: { readonly lifetimes: Lifetimes; readonly rates: Rates }) => {
  const { lifetimes, rates } = settings;
  const aMinute = (calls: number) => `${figure(calls)} a minute`;
  return {
    code: durationInWords(lifetimes.code),
    duplicate: durationInWords(duplicateMilliseconds / 1_000),
    access: durationInWords(lifetimes.access),
    accessSeconds: lifetimes.access,
    accessPublic: durationInWords(lifetimes.accessPublic),
    refreshIdle: durationInWords(lifetimes.refreshIdle),
    refreshMax: durationInWords(lifetimes.refreshMax),
    reuse: durationInWords(lifetimes.refreshReuse),
    request: durationInWords(requestMilliseconds / 1_000),
    approvals: [approvalDays.day, approvalDays.month].map((days) => durationInWords(days * day)).join(" or "),
    redirectUris: mostRedirectUris,
    body: `${mostBodyBytes / 1_024} KB`,
    authorizations: aMinute(rates.authorize),
    clientCalls: aMinute(rates.client),
    clientFailures: aMinute(rates.clientFailures),
  };
};
export type GuideFigures = ReturnType<typeof guideFigures>;
