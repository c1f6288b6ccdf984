import { ShieldCheck } from "lucide-react";
import { visibleText } from "#app/_lib/format";
import { DataTable } from "#app/_ui/data-table.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { todoOfAttempt, WhatToDo } from "#app/(portal)/developers/_parts/what-to-do.tsx";
import { wordsOfAct } from "#server/audit/audit";
import type { FailedAttempt } from "#server/oauth/clients/calls/show-calls";
import { RequestId } from "./calls-table";

const sentences: Partial<Record<FailedAttempt["act"], string>> = {
  "consent.denied": "The player denied the request.",
  "code.reused": "A code was used a second time: the tokens it had issued were revoked.",
  "refresh_token.reused": "A replaced refresh token was used again: its grant was revoked.",
};

/** By endpoint, for kinds of event that several endpoints share. */
const refusedForms: Readonly<Record<string, string>> = {
  introspect: "Introspection request refused",
  revoke: "Revocation request refused",
};

const endpointsOfActs: Partial<Record<FailedAttempt["act"], string>> = {
  "code.reused": "token",
  "refresh_token.reused": "token",
};

/** Title, endpoint, and whether the client or only the player saw the error. */
export function attemptInWords({
  act,
  endpoint,
  error,
}: Pick<FailedAttempt, "act" | "endpoint" | "error">) {
  const path = `/oauth/${endpoint ?? endpointsOfActs[act] ?? "authorize"}`;
  const told = error === "error_page" ? "error page" : error;
  return {
    title: refusedForms[endpoint ?? ""] ?? wordsOfAct(act),
    where: told ? `${path} · ${told}` : path,
  };
}

type Props = {
  attempts: readonly FailedAttempt[];
  /** Links to the doctor, which searches requests that the reader may see. */
  withDoctor?: boolean;
};

export function AttemptsTable({ attempts, withDoctor = false }: Props) {
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
            const { title, where } = attemptInWords(attempt);
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
          cell: ({ act, error, description, redirectUri, ...sent }) => (
            <div className="grid gap-0.5">
              <span>{description ?? sentences[act]}</span>
              {sentInWords(sent) && (
                <span className="text-sm text-ink-faint">{sentInWords(sent)}</span>
              )}
              {redirectUri && (
                <code className="text-xs wrap-anywhere text-ink-faint">
                  Sent: {visibleText(redirectUri)}
                </code>
              )}
              <div className="text-sm text-ink-soft">
                <WhatToDo text={todoOfAttempt({ act, error, description })} />
              </div>
            </div>
          ),
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

const authorizations: Readonly<Record<NonNullable<FailedAttempt["authorization"]>, string>> = {
  none: "no Authorization header",
  basic: "a Basic header with a secret",
  "basic-empty-secret": "a Basic header with an empty secret",
  "basic-malformed": "a malformed Basic header",
  "other-scheme": "an Authorization header that is not Basic",
};

/** Client authentication and parameter names; undefined if not recorded. */
export function sentInWords({
  authorization,
  fields,
  emptyFields,
}: Pick<FailedAttempt, "authorization" | "fields" | "emptyFields">): string | undefined {
  if (authorization === null) return undefined;
  const sent =
    fields && fields.length > 0 ? `in the body ${fields.join(", ")}` : "no known parameter";
  const empty = emptyFields && emptyFields.length > 0 ? `; empty: ${emptyFields.join(", ")}` : "";
  return `Sent: ${authorizations[authorization]}; ${sent}${empty}.`;
}
