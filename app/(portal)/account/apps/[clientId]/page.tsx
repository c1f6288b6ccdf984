import { Activity } from "lucide-react";
import type { Metadata } from "next";
import { cache } from "react";
import { orNotFound } from "#app/_lib/caller";
import { playerCaller } from "#app/_lib/current-user";
import { formatCount, formatDate, formatNumber, formatTimeOfDay } from "#app/_lib/format";
import type { PageProps } from "#app/_lib/search-params";
import { timePlot } from "#app/_lib/time-plot";
import { Emblem } from "#app/_parts/emblem.tsx";
import { StoredLink } from "#app/_parts/external-links.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { VerifiedBadge } from "#app/_ui/badge.tsx";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { type Column, DataTable } from "#app/_ui/data-table.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { Plot } from "#app/_ui/plot.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import type { ApplicationActivity } from "#server/oauth/consents/list-consents";
import { ConsentActs, ConsentBadges, ConsentFacts, DoneAlert } from "../_parts/connected-app";
import { describeCall } from "./_parts/describe-call";

const activityOf = cache(async (clientId: string) =>
  orNotFound((await playerCaller()).consents.activity({ clientId })),
);

export async function generateMetadata({ params }: PageProps<"clientId">): Promise<Metadata> {
  return { title: (await activityOf((await params).clientId)).application.name };
}

export default async function ConnectedAppActivity({
  params,
  searchParams,
}: PageProps<"clientId">) {
  const activity = await activityOf((await params).clientId);
  const { application, deleted, consent, team, days, calls } = activity;
  return (
    <>
      <PageHeader
        trail={[{ label: "Connected apps", href: "/account/apps" }]}
        media={<Emblem of={application} />}
        title={<bdi>{application.name}</bdi>}
        status={
          <>
            <ConsentBadges
              suspended={application.suspended}
              paused={consent?.paused ?? false}
              blocked={Boolean(consent?.blockedBy)}
            />
            {application.verified && <VerifiedBadge />}
          </>
        }
        lead={application.description || "What it may do, and what it has done in your name."}
      />
      <DoneAlert searchParams={searchParams} />
      {application.suspended && (
        <Alert tone="warn" title="Suspended">
          An admin of Adjutant suspended this application. It has no access until the suspension is
          lifted.
        </Alert>
      )}
      {consent?.blockedBy && (
        <Alert tone="warn" title={<>{consent.blockedBy} blocks this application</>}>
          It can't read your faction's data and gets none of its events, whatever you allow. Only a
          leader of {consent.blockedBy} can allow it. Your own data is not affected.
        </Alert>
      )}
      {consent ? (
        <Card title="What it may do" footer={<ConsentActs consent={consent} />}>
          <ConsentFacts consent={consent} team={team} />
        </Card>
      ) : (
        <EndedAccess activity={activity} />
      )}
      <Card
        title="What it did"
        description="The last 30 days (TCT). Older entries are deleted."
        flush
      >
        {calls.length === 0 ? (
          <EmptyState icon={<Activity />} title="It did nothing in your name">
            What it reads or does with your permission appears here, by day.
          </EmptyState>
        ) : (
          <>
            <div className="border-b border-line px-4 py-4 sm:px-5">
              <CallsChart days={days} calls={calls} />
            </div>
            <CallsTable calls={calls} />
          </>
        )}
      </Card>
      {!deleted && (
        <p className="text-sm">
          <TextLink href={`/account/apps/${application.clientId}/report`}>
            Report this application
          </TextLink>
        </p>
      )}
    </>
  );
}

function EndedAccess({ activity: { application, deleted } }: { activity: ApplicationActivity }) {
  return (
    <Card
      title="It has no access"
      footer={
        <LinkButton href="/account/apps" size="sm">
          All connected apps
        </LinkButton>
      }
    >
      <p className="text-ink-soft">
        {deleted
          ? "Its developer deleted it."
          : "Your approval has ended. To use it again, connect from the application."}{" "}
        It may still have data it read earlier.
        {application.privacyUri !== "" && (
          <>
            {" "}
            Its <StoredLink href={application.privacyUri}>privacy policy</StoredLink> says how to
            have it deleted.
          </>
        )}
      </p>
    </Card>
  );
}

function CallsChart({ days, calls }: Pick<ApplicationActivity, "days" | "calls">) {
  const plot = timePlot(
    days.map((day) => ({
      at: day,
      value: calls
        .filter((call) => call.day.getTime() === day.getTime())
        .reduce((sum, call) => sum + call.calls, 0),
    })),
    {
      value: (count) => formatCount(count, "time", "times"),
      tick: formatNumber,
      from: 0,
      whole: true,
      running: true,
      name: formatDate,
    },
  );
  return <Plot title="How often it did something, by day" as="bars" {...plot} />;
}

const dayInWords = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "numeric",
  month: "long",
  timeZone: "UTC",
});

const columns: Column<ApplicationActivity["calls"][number]>[] = [
  {
    header: "What it did",
    primary: true,
    cell: ({ method, route }) => describeCall(method, route).did,
  },
  {
    header: "Day",
    nowrap: true,
    cell: ({ day }) => (
      <time dateTime={day.toISOString().slice(0, 10)}>{dayInWords.format(day)}</time>
    ),
  },
  {
    header: "Last at (TCT)",
    numeric: true,
    cell: ({ last }) => <time dateTime={last.toISOString()}>{formatTimeOfDay(last)}</time>,
  },
  { header: "Times", numeric: true, cell: ({ calls }) => formatNumber(calls) },
  {
    header: "Refused",
    numeric: true,
    cell: ({ refused }) =>
      refused === 0 ? (
        <span className="text-ink-faint">0</span>
      ) : (
        <span className="text-bad">{formatNumber(refused)}</span>
      ),
  },
];

/** Counts include refused calls. */
function CallsTable({ calls }: Pick<ApplicationActivity, "calls">) {
  return (
    <DataTable
      caption="What it did, by day"
      dense
      columns={columns}
      rows={calls}
      rowKey={({ day, method, route }) => `${day.getTime()} ${method} ${route}`}
    />
  );
}
