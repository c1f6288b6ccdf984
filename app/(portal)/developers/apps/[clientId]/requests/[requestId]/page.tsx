import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { caller } from "#app/_lib/caller";
import { requireApplication } from "#app/_lib/current-user";
import type { PageProps } from "#app/_lib/search-params";
import { pageSettings } from "#app/_lib/settings";
import { Alert } from "#app/_ui/alert.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { CodeBlock } from "#app/_ui/code-block.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { describeCall } from "#app/(portal)/account/apps/[clientId]/_parts/describe-call";
import {
  curlToRepeat,
  endedTokenOf,
  formatMicros,
  formatPlayer,
  nameOfFailure,
  remedyOfCall,
  sentenceOfFailure,
  tokenEndInWords,
  toneOfStatus,
  WhatToDo,
} from "#app/(portal)/developers/_parts/describe-calls.tsx";
import { RequestLog, readCallQuery } from "../_parts/request-log";

export const metadata: Metadata = { title: "Request" };

/** On a wide screen this is a panel beside the log, else a page. */
export default async function Request({
  params,
  searchParams,
}: PageProps<"clientId" | "requestId">) {
  const { clientId, requestId } = await params;
  const sent = await searchParams;
  await requireApplication({ clientId }, "requests");
  const call = await (await caller()).applications.loggedCall({
    clientId,
    requestId: requestId.slice(0, 100),
  });
  if (!call) notFound();
  const { method, route, path, status, failureCode, failure, player, userAgent } = call;
  const { title, href, address } = describeCall(method, route);
  const { query } = readCallQuery(sent);
  const names = [...(failure?.query ?? []), ...(failure?.body ?? [])];
  const [ended, token] = [endedTokenOf(call), tokenEndInWords(call)];
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_27rem]">
      <div className="max-xl:hidden">
        <RequestLog clientId={clientId} sent={sent} open={requestId} />
      </div>
      <div
        id="request"
        className="grid scroll-mt-6 gap-6 xl:sticky xl:top-6 xl:max-h-[calc(100dvh-3rem)] xl:overflow-y-auto"
      >
        <Card
          title="Request"
          actions={
            <TextLink href={`/developers/apps/${clientId}/requests${query}`}>All requests</TextLink>
          }
        >
          <KeyValueList
            items={[
              {
                label: "Endpoint",
                wide: true,
                value: href ? <TextLink href={href}>{title}</TextLink> : title,
              },
              {
                label: "Call",
                wide: true,
                value: <code className="text-sm">{path ? `${method} ${path}` : address}</code>,
              },
              { label: "Status", value: <Badge tone={toneOfStatus(status)}>{status}</Badge> },
              { label: "Player", value: player ? formatPlayer(player) : "Not known" },
              { label: "When", value: <Time at={call.at} /> },
              { label: "Server time", value: formatMicros(call.micros) },
              { label: "User agent", wide: true, value: userAgent ?? "Not sent" },
              {
                label: "Request ID",
                copy: call.requestId,
              },
            ]}
          />
        </Card>
        {failureCode !== null && (
          <Card
            title="Why it failed"
            actions={<TextLink href={`/docs/errors/${failureCode}`}>About {failureCode}</TextLink>}
          >
            <div className="grid gap-4">
              <Alert tone="bad" title={`${failureCode} ${nameOfFailure(failureCode)}`}>
                {failure?.message ?? sentenceOfFailure(failureCode)}
                {token && ` ${token}`}
              </Alert>
              <WhatToDo text={remedyOfCall(call)} />
              {failure?.details !== undefined && (
                <CodeBlock
                  title="details"
                  language="json"
                  code={JSON.stringify(failure.details, null, 2)}
                  wrap
                />
              )}
              {!failure && (
                <p className="text-sm text-ink-soft">
                  Details were not recorded: an application has them for its first 120 failures a
                  minute.
                </p>
              )}
              {ended?.at && (
                <p className="text-sm text-ink-soft">
                  Ended <Time at={new Date(ended.at)} />.
                </p>
              )}
            </div>
          </Card>
        )}
        <Card
          title="Send it again"
          description={
            failure
              ? `Tokens are never recorded, nor values of the query and the body. ${names.length > 0 ? `Sent: ${names.join(", ")}.` : "It had no parameters with plain names."}`
              : "Tokens and values are never recorded; names of parameters only for failed calls."
          }
        >
          <CodeBlock
            label="curl"
            language="shell"
            code={curlToRepeat(call, pageSettings().baseUrl)}
            wrap
          />
        </Card>
      </div>
    </div>
  );
}
