import { cache } from "react";
import { caller, orNotFound } from "#app/_lib/caller";
import { adminCaller, adminMetadata } from "#app/_lib/current-user";
import { escapeInvisible, formatCappedNumber, formatCount, formatNumber } from "#app/_lib/format";
import { type PageProps, readPageNumber } from "#app/_lib/search-params";
import { Emblem } from "#app/_parts/emblem.tsx";
import { StoredLink } from "#app/_parts/external-links.tsx";
import { PlayerName } from "#app/_parts/player-link.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { ProvenDomainBadge } from "#app/_ui/badge.tsx";
import { Card } from "#app/_ui/card.tsx";
import { TableCard } from "#app/_ui/data-table.tsx";
import { KeyValueList, StatRow } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import {
  ActWithReasonButton,
  ConfirmationGate,
  DoneAlert,
  type ReasonFormValues,
  readReasonForm,
} from "#app/(portal)/admin/_parts/admin-acts.tsx";
import { ModerationCards } from "#app/(portal)/admin/_parts/judge-application.tsx";
import { AccountLink, ApplicationStateBadge } from "#app/(portal)/admin/_parts/links.tsx";
import { Pager } from "#app/(portal)/admin/_parts/searched-list.tsx";
import { whyNotApplicationName } from "#server/oauth/clients/application-name";
import { whyNotRedirectUri } from "#server/oauth/redirect-uri";
import { reportReasons } from "#server/oauth/reports/report-acts";
import type { RouterOutputs } from "#server/portal/router";

const read = cache(async (clientId: string) =>
  orNotFound((await adminCaller()).admin.application({ clientId })),
);

export const generateMetadata = async ({ params }: PageProps<"clientId">) =>
  adminMetadata((await read((await params).clientId)).name);

export default async function Application({ params, searchParams }: PageProps<"clientId">) {
  const application = await read((await params).clientId);
  const {
    clientId,
    name,
    kind,
    owner,
    users,
    grants,
    suspendedFor,
    suspendedAt,
    createdAt,
    verifiedAt,
  } = application;
  const { redirectUris, scopes, clientUri, tosUri, privacyUri, privacy } = application;
  const { description, domain } = application;
  const page = await readPageNumber(searchParams);
  const reports = await (await caller()).admin.reports({ clientId, page });
  const typed = await readReasonForm(searchParams);
  const nameFault = whyNotApplicationName(name);
  return (
    <>
      <PageHeader
        trail={[{ label: "Applications", href: "/admin/applications" }]}
        media={<Emblem of={application} size="lg" />}
        title={<bdi>{escapeInvisible(name)}</bdi>}
        status={<ApplicationStateBadge {...application} />}
        actions={<LinkButton href={`/admin/audit?client=${clientId}`}>Audit log</LinkButton>}
      />
      <DoneAlert searchParams={searchParams} />
      {suspendedAt && (
        <Alert
          tone="bad"
          title={
            <>
              Suspended since <Time at={suspendedAt} />
            </>
          }
        >
          The reason given: {suspendedFor ?? "none"}
        </Alert>
      )}
      {nameFault && (
        <Alert tone="warn" title="This name is no longer accepted">
          {nameFault} It stays until the developer changes it. Suspend the application if its name
          could mislead players.
        </Alert>
      )}
      <StatRow
        items={[
          { label: "Players", value: formatCappedNumber(users), hint: "with a live consent" },
          {
            label: "Live grants",
            value: formatCappedNumber(grants),
            hint: "one for each code exchanged",
          },
        ]}
      />
      <Card title="Details from the developer">
        <KeyValueList
          items={[
            {
              label: "Client ID",
              copy: clientId,
            },
            {
              label: "Owner",
              value: (
                <TextLink href={`/admin/accounts/${owner.accountId}`}>
                  <PlayerName {...owner} />
                </TextLink>
              ),
            },
            {
              label: "Kind",
              value: kind === "public" ? "Public (no secret)" : "Server-side (with a secret)",
            },
            { label: "Description", value: description || "Not said yet", wide: true },
            { label: "Domain", value: <Domain domain={domain} />, wide: true },
            {
              label: "Home page",
              value: <StoredLink href={clientUri}>{clientUri}</StoredLink>,
              wide: true,
            },
            {
              label: "Terms of service",
              value: <StoredLink href={tosUri}>{tosUri}</StoredLink>,
              wide: true,
            },
            {
              label: "Privacy policy",
              value: <StoredLink href={privacyUri}>{privacyUri}</StoredLink>,
              wide: true,
            },
            {
              label: "Redirect URIs",
              wide: true,
              value: (
                <Lines
                  texts={redirectUris}
                  none="Hosted callback only"
                  refusal={whyNotRedirectUri}
                />
              ),
            },
            { label: "Scopes", wide: true, value: <Lines texts={scopes} none="None" /> },
            { label: "Data retrieved", wide: true, value: privacy.data ?? "Not said yet" },
            { label: "Use", wide: true, value: privacy.use ?? "Not said yet" },
            { label: "Retention", wide: true, value: privacy.retention ?? "Not said yet" },
            { label: "Deletion", wide: true, value: privacy.deletion ?? "Not said yet" },
            { label: "Sharing", wide: true, value: privacy.sharing ?? "Not said yet" },
            { label: "Registered", at: createdAt },
            { label: "Verified", at: verifiedAt, never: "No" },
          ]}
        />
      </Card>
      <ConfirmationGate>
        {reports.count > 0 && <AnswerReports clientId={clientId} reports={reports} typed={typed} />}
        <ModerationCards application={application} typed={typed} />
      </ConfirmationGate>
      {reports.count > 0 && <Reports clientId={clientId} reports={reports} page={page} />}
    </>
  );
}

function Domain({ domain }: { domain: RouterOutputs["admin"]["application"]["domain"] }) {
  if (!domain) return "None";
  const { name, provenAt, provenBy, seenAt } = domain;
  if (!provenAt) return `${name}, not proven`;
  return (
    <>
      <ProvenDomainBadge domain={name} />
      <p className="text-sm text-ink-soft">
        By {provenBy === "dns" ? "TXT record" : "file"} since <Time at={provenAt} />
        {seenAt && (
          <>
            , last seen <Time at={seenAt} />
          </>
        )}
      </p>
    </>
  );
}

type LinesProps = {
  texts: readonly string[];
  none: string;
  refusal?: (text: string) => string | undefined;
};

function Lines({ texts, none, refusal }: LinesProps) {
  if (texts.length === 0) return <span className="text-ink-faint">{none}</span>;
  return (
    <ul>
      {texts.map((text) => (
        <li key={text}>
          <code className="text-sm wrap-anywhere">{escapeInvisible(text)}</code>
          {refusal?.(text) && <p className="text-sm text-bad">Not used. {refusal(text)}</p>}
        </li>
      ))}
    </ul>
  );
}

type ReportsProps = { clientId: string; reports: RouterOutputs["admin"]["reports"] };

const pageOf = (clientId: string) => `/admin/applications/${clientId}`;

function AnswerReports({ clientId, reports, typed }: ReportsProps & { typed: ReasonFormValues }) {
  const { reasons, count, until } = reports;
  const form = {
    action: `${pageOf(clientId)}/act`,
    fields: { until: until.toISOString() },
    tone: "plain",
    typed,
    reader: "A note for admins, kept in the audit log.",
  } as const;
  return (
    <Card
      title={formatCount(count, "open report")}
      description="An answer closes all of them. The reporters get a notice without your note."
    >
      <ul className="mb-4 grid gap-1">
        {reasons.map(({ reason, reports: times }) => (
          <li key={reason}>
            <span className="tabular font-medium">{formatNumber(times)}</span>{" "}
            {reportReasons[reason]}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <ActWithReasonButton
          {...form}
          label="Dismiss reports"
          act="dismiss"
          consequences="The reporters read that you found no reason to act."
        />
        <ActWithReasonButton
          {...form}
          label="Mark as acted on"
          act="acted"
          consequences="The reporters read that you acted. Suspend the application first if it must stop."
        />
      </div>
    </Card>
  );
}

const Reports = ({ clientId, reports, page }: ReportsProps & { page: number }) => (
  <>
    <TableCard
      title="Reports"
      description="Newest first. Only admins see them."
      caption="Open reports"
      dense
      rows={reports.rows}
      rowKey={({ id }) => id}
      columns={[
        {
          header: "Reason",
          primary: true,
          cell: ({ reason, text }) => (
            <span className="block min-w-0">
              {reportReasons[reason]}
              {text !== "" && (
                <bdi className="block text-sm font-normal whitespace-pre-line text-ink-soft">
                  {text.split(/\r?\n/).map(escapeInvisible).join("\n")}
                </bdi>
              )}
            </span>
          ),
        },
        {
          header: "Reported by",
          cell: ({ reporter }) => <AccountLink accountId={reporter.accountId} player={reporter} />,
        },
        { header: "At", at: ({ reportedAt }) => reportedAt },
      ]}
    />
    <Pager action={pageOf(clientId)} query={{}} page={page} more={reports.more} />
  </>
);
