import { Blocks } from "lucide-react";
import type { ReactNode } from "react";
import { playerCaller } from "#app/_lib/current-user";
import { formatCount } from "#app/_lib/format";
import {
  type PageProps,
  readPageRange,
  readParams,
  type SearchParams,
} from "#app/_lib/search-params";
import { ApplicationCheckbox } from "#app/_parts/application-box.tsx";
import { ConfirmButton, SubmitDialog } from "#app/_parts/confirm-button.tsx";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { PageOfPages, ViewLinks } from "#app/_parts/list-controls.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { type Column, TableCard } from "#app/_ui/data-table.tsx";
import { Input, Select } from "#app/_ui/field.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { pathWith } from "#app/_ui/path-with";
import { LinkButton } from "#app/_ui/text-link.tsx";
import type { ConsentSummary } from "#server/oauth/consents/list-consents";
import { dayMs } from "#server/platform/time";
import { ConsentBadges, DoneAlert, sumCalls } from "./_parts/connected-app";
import { describeCall } from "./[clientId]/_parts/describe-call";

export const metadata = { title: "Connected apps" };

const page = "/account/apps";
const unusedDays = 90;
const isUnusedSince = ({ lastUsed, since }: ConsentSummary, then: Date): boolean =>
  (lastUsed ?? since) < then;

export default async function ConnectedApps({ searchParams }: PageProps) {
  const all = await (await playerCaller()).consents.list();
  const filters = ["q", "sort", "unused", "did"] as const;
  const { q = "", sort, unused, did } = await readParams(searchParams, filters);
  const then = new Date(Date.now() - unusedDays * dayMs);
  const asked = q.trim().toLowerCase();
  const matching = all.filter(
    (consent) =>
      consent.application.name.toLowerCase().includes(asked) &&
      (unused === undefined || isUnusedSince(consent, then)) &&
      (did === undefined || timesOf(consent, did) > 0),
  );
  const part = await readPageRange(searchParams, matching.length);
  const address = (to: number) => pathWith(page, { q: asked, sort, unused, did, page: String(to) });
  const unusedCount = all.filter((consent) => isUnusedSince(consent, then)).length;
  if (all.length === 0)
    return (
      <Frame searchParams={searchParams}>
        <Card flush>
          <EmptyState
            icon={<Blocks />}
            title="No application is connected"
            action={<LinkButton href="/docs">How connecting works</LinkButton>}
          >
            When you approve an application, it appears here, and you can revoke it here.
          </EmptyState>
        </Card>
      </Frame>
    );
  return (
    <Frame searchParams={searchParams}>
      {(all.length > 1 || q || unused || did) && (
        <div className="grid gap-3">
          <form method="get" action={page} className="flex flex-wrap gap-2 *:min-w-0">
            {unused && <input type="hidden" name="unused" value={unused} />}
            <Input
              name="q"
              aria-label="Search by name"
              placeholder="Search by name"
              defaultValue={q}
              maxLength={60}
              autoComplete="off"
              className="flex-1 basis-40"
            />
            <span className="flex-1 basis-60">
              <Select
                name="did"
                aria-label="Filter by what it did"
                defaultValue={did ?? ""}
                options={[
                  { value: "", label: "What it did in the last 7 days" },
                  ...actsOf(all).map((act) => ({ value: act, label: act })),
                ]}
              />
            </span>
            <Button type="submit">Search</Button>
          </form>
          <ViewLinks
            label="Filter"
            views={[
              { label: `All ${all.length}`, href: page, current: unused === undefined },
              {
                label: `Unused for ${unusedDays} days: ${unusedCount}`,
                href: `${page}?unused=${unusedDays}`,
                current: unused !== undefined,
              },
            ]}
          />
        </div>
      )}
      <CsrfForm action={`${page}/revoke`}>
        <TableCard
          footer={
            <>
              <SubmitDialog label="Revoke selected" title="Revoke the selected applications?">
                Every application that you ticked loses access on all devices at once. It may keep
                data it already has.
              </SubmitDialog>
              <PageOfPages {...part} address={address} />
            </>
          }
          caption="Connected apps"
          dense
          columns={columnsOf(did)}
          rows={matching}
          order={{ typed: sort, page, query: { q: asked, unused, did } }}
          part={part}
          rowKey={({ consentId }) => consentId}
          empty={<EmptyState title="No application matches" />}
        />
      </CsrfForm>
      {all.length > 1 && (
        <Card tone="danger" title="Revoke all">
          <ConfirmButton
            label="Revoke all access"
            action={`${page}/revoke`}
            fields={{ all: "yes" }}
            consequences={`All ${all.length} applications lose access on all devices at once.`}
          />
        </Card>
      )}
    </Frame>
  );
}

const Frame = ({ searchParams, children }: { searchParams: SearchParams; children: ReactNode }) => (
  <>
    <PageHeader
      title="Connected apps"
      lead="Applications that may see or do something in your name."
    />
    <DoneAlert searchParams={searchParams} />
    {children}
  </>
);

const actOf = ({ method, route }: ConsentSummary["calls"][number]) =>
  describeCall(method, route).did;

const timesOf = ({ calls }: ConsentSummary, did: string): number =>
  sumCalls(calls.filter((call) => actOf(call) === did));

const actsOf = (consents: readonly ConsentSummary[]): string[] =>
  [...new Set(consents.flatMap(({ calls }) => calls.map(actOf)))].sort();

/** @param did the act that the list is filtered by */
const columnsOf = (did: string | undefined): readonly Column<ConsentSummary>[] => [
  {
    key: "name",
    header: "Application",
    primary: true,
    sortBy: ({ application }) => application.name,
    cell: ({ consentId, application, paused, blockedBy }) => (
      <ApplicationCheckbox
        application={application}
        href={`${page}/${application.clientId}`}
        name="consent_id"
        value={consentId}
        badges={
          <ConsentBadges
            suspended={application.suspended}
            paused={paused}
            blocked={blockedBy !== null}
          />
        }
      >
        <span className="line-clamp-1 text-sm text-ink-faint">
          <bdi>{application.description || `By ${application.ownerName}`}</bdi>
        </span>
      </ApplicationCheckbox>
    ),
  },
  did === undefined
    ? {
        header: "Permissions",
        cell: ({ scopes }) => (
          <span title={scopes.map(({ title }) => title).join(", ")}>
            {scopes.length === 0
              ? "None"
              : scopes.length === 1
                ? scopes[0]?.title
                : formatCount(scopes.length, "permission")}
          </span>
        ),
      }
    : {
        key: "times",
        header: "In the last 7 days",
        sortBy: (consent) => timesOf(consent, did),
        cell: (consent) => formatCount(timesOf(consent, did), "time"),
      },
  {
    key: "used",
    header: "Last used",
    at: ({ lastUsed }) => lastUsed,
  },
  { key: "until", header: "Expires", at: ({ until }) => until },
];
