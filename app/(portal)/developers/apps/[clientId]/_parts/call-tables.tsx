import { Activity, ShieldCheck } from "lucide-react";
import { escapeInvisible } from "#app/_lib/format";
import { Badge } from "#app/_ui/badge.tsx";
import { EmptyState } from "#app/_ui/card.tsx";
import { CopyButton } from "#app/_ui/copy-button.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import {
  failureReasonOf,
  formatMicros,
  formatPlayer,
  nameOfFailure,
  remedyOfAttempt,
  toneOfStatus,
  WhatToDo,
} from "#app/(portal)/developers/_parts/describe-calls.tsx";
import { wordsOfAct } from "#server/audit/audit";
import { apiPrefix } from "#server/machine-path";
import { unmatchedRoute } from "#server/oauth/clients/calls/call-filter";
import type { FailedOAuthAttempt, LoggedCall } from "#server/oauth/clients/calls/show-calls";
import { openApiPath } from "#server/rest/path";

/** Drops the API's prefix, which all calls share. */
function addressOf({ method, route, path }: LoggedCall): string {
  const called = path ?? (route === unmatchedRoute ? "an address that does not exist" : route);
  return `${method} ${openApiPath(called.startsWith(`${apiPrefix}/`) ? called.slice(apiPrefix.length) : called)}`;
}

const toTheSecond = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZone: "UTC",
});

type CallsTableProps = {
  calls: readonly LoggedCall[];
  page: string;
  /** The rows' links keep the query, so that a call opens beside the same list. */
  query?: string;
  open?: string | undefined;
  filtered: boolean;
};

export function CallsTable({ calls, page, query = "", open, filtered }: CallsTableProps) {
  return (
    <DataTable
      caption="Last calls"
      dense
      rows={calls}
      rowKey={({ id }) => id}
      empty={
        filtered ? (
          <EmptyState
            icon={<Activity />}
            title="No call matches"
            action={<LinkButton href={page}>Show all calls</LinkButton>}
          />
        ) : (
          <EmptyState
            icon={<Activity />}
            title="No call in the last 30 days"
            action={<LinkButton href="/docs">How to make the first call</LinkButton>}
          >
            Calls appear here within a second, successful or not.
          </EmptyState>
        )
      }
      columns={[
        {
          header: "Time (UTC)",
          unlabelled: true,
          nowrap: true,
          cell: ({ at }) => (
            <time dateTime={at.toISOString()} className="tabular">
              {toTheSecond.format(at)}
            </time>
          ),
        },
        {
          header: "Status",
          unlabelled: true,
          lead: true,
          cell: ({ status }) => <Badge tone={toneOfStatus(status)}>{status}</Badge>,
        },
        {
          header: "Call",
          primary: true,
          line: true,
          cell: (call) => (
            <span title={addressOf(call)}>
              <TextLink
                href={`${page}/${call.requestId}${query}#request`}
                className="font-mono text-xs"
                aria-current={call.requestId === open ? "page" : undefined}
              >
                {addressOf(call)}
              </TextLink>
            </span>
          ),
        },
        {
          header: "Reason",
          unlabelled: true,
          nowrap: true,
          cell: ({ failureCode, failure }) =>
            failureCode !== null && (
              <Reason
                code={failureCode}
                words={failureReasonOf({ failureCode, failure }) ?? nameOfFailure(failureCode)}
              />
            ),
        },
        {
          header: "Player",
          unlabelled: true,
          nowrap: true,
          cell: ({ player }) => player && <bdi title={formatPlayer(player)}>{player.name}</bdi>,
        },
        {
          header: "Took",
          unlabelled: true,
          numeric: true,
          cell: ({ micros }) => formatMicros(micros),
        },
      ]}
    />
  );
}

const Reason = ({ code, words }: { code: number; words: string }) => (
  <span className="inline-block max-w-52 truncate align-bottom rows:max-w-full" title={words}>
    <TextLink href={`/docs/errors/${code}`} plain className="tabular hover:underline">
      {code}
    </TextLink>{" "}
    {words}
  </span>
);

function RequestId({ id }: { id: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      <code className="text-xs" title={id}>
        {id.slice(0, 8)}…
      </code>
      <CopyButton text={id} what={`request ID ${id}`} className="-my-1" />
    </span>
  );
}

const sentences: Partial<Record<FailedOAuthAttempt["act"], string>> = {
  "consent.denied": "The player denied the request.",
  "code.reused": "A code was used a second time: the tokens it had issued were revoked.",
  "refresh_token.reused": "A replaced refresh token was used again: its grant was revoked.",
};

/** Keyed by endpoint, because both refusals are the same act. */
const refusedForms: Readonly<Record<string, string>> = {
  introspect: "Introspection request refused",
  revoke: "Revocation request refused",
};

const endpointsOfActs: Partial<Record<FailedOAuthAttempt["act"], string>> = {
  "code.reused": "token",
  "refresh_token.reused": "token",
};

/** Distinguishes errors that the client saw from those that only the player saw. */
export function describeOAuthAttempt({
  act,
  endpoint,
  error,
}: Pick<FailedOAuthAttempt, "act" | "endpoint" | "error">) {
  const path = `/oauth/${endpoint ?? endpointsOfActs[act] ?? "authorize"}`;
  const told = error === "error_page" ? "error page" : error;
  return {
    title: refusedForms[endpoint ?? ""] ?? wordsOfAct(act),
    where: told ? `${path} · ${told}` : path,
  };
}

type AttemptsTableProps = {
  attempts: readonly FailedOAuthAttempt[];
  /** Links each attempt to the doctor, which finds only requests that the reader may see. */
  withDoctor?: boolean;
};

export function OAuthAttemptsTable({ attempts, withDoctor = false }: AttemptsTableProps) {
  return (
    <DataTable
      caption="Failed attempts"
      rows={attempts}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={<ShieldCheck />} title="No failures in the last seven days">
          When an authorization or token request is refused, the exact reason appears here.
        </EmptyState>
      }
      columns={[
        {
          header: "What",
          primary: true,
          cell: (attempt) => {
            const { title, where } = describeOAuthAttempt(attempt);
            return (
              <span className="grid gap-0.5">
                <span className="font-medium">{title}</span>
                <code className="text-xs text-ink-faint">{where}</code>
              </span>
            );
          },
        },
        {
          header: "Why",
          prose: true,
          cell: (attempt) => {
            const { act, description, redirectUri } = attempt;
            const sent = requestInWords(attempt);
            return (
              <div className="grid gap-0.5">
                <span>{description ?? sentences[act]}</span>
                {sent && <span className="text-sm text-ink-faint">{sent}</span>}
                {redirectUri && (
                  <code className="text-xs wrap-anywhere text-ink-faint">
                    Sent: {escapeInvisible(redirectUri)}
                  </code>
                )}
                <div className="text-sm text-ink-soft">
                  <WhatToDo text={remedyOfAttempt(attempt)} />
                </div>
              </div>
            );
          },
        },
        { header: "When", at: ({ at }) => at },
        {
          header: "Request ID",
          nowrap: true,
          cell: ({ requestId }) =>
            requestId ? (
              <span className="inline-flex flex-wrap items-center gap-x-3">
                <RequestId id={requestId} />
                {withDoctor && (
                  <TextLink href={`/developers/doctor?ask=${requestId}`}>
                    Doctor<span className="sr-only">: request {requestId}</span>
                  </TextLink>
                )}
              </span>
            ) : (
              "–"
            ),
        },
      ]}
    />
  );
}

const authorizations: Readonly<Record<NonNullable<FailedOAuthAttempt["authorization"]>, string>> = {
  none: "no Authorization header",
  basic: "a Basic header with a secret",
  "basic-empty-secret": "a Basic header with an empty secret",
  "basic-malformed": "a malformed Basic header",
  "other-scheme": "an Authorization header that is not Basic",
};

/** @returns client authentication and parameter names; undefined if not recorded */
export function requestInWords({
  authorization,
  fields,
  emptyFields,
}: Pick<FailedOAuthAttempt, "authorization" | "fields" | "emptyFields">): string | undefined {
  if (authorization === null) return undefined;
  const sent =
    fields && fields.length > 0 ? `in the body ${fields.join(", ")}` : "no known parameter";
  const empty = emptyFields && emptyFields.length > 0 ? `; empty: ${emptyFields.join(", ")}` : "";
  return `Sent: ${authorizations[authorization]}; ${sent}${empty}.`;
}
