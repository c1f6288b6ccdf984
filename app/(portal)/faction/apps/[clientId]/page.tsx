import { Activity, Users } from "lucide-react";
import type { Metadata } from "next";
import { cache } from "react";
import { orNotFound } from "#app/_lib/caller";
import { playerCaller } from "#app/_lib/current-user";
import { formatCount, formatNumber } from "#app/_lib/format";
import { type PageProps, readParam } from "#app/_lib/search-params";
import { ConfirmButton } from "#app/_parts/confirm-button.tsx";
import { Emblem } from "#app/_parts/emblem.tsx";
import { PlayerLink } from "#app/_parts/player-link.tsx";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { type Column, TableCard } from "#app/_ui/data-table.tsx";
import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { describeCall } from "#app/(portal)/account/apps/[clientId]/_parts/describe-call";
import { eventWordsOf } from "#server/event-types";
import type { AccessOfApplication } from "#server/oauth/faction-access/show-access";
import {
  AccessStatus,
  accessStateOf,
  DoneAlert,
  factionAppsActPath,
  factionAppsPath,
  factionDataInWords,
} from "../_parts/access";

const accessOf = cache(async (clientId: string) =>
  orNotFound((await playerCaller()).factionAccess.application({ clientId })),
);

export async function generateMetadata({ params }: PageProps<"clientId">): Promise<Metadata> {
  return { title: (await accessOf((await params).clientId)).application.name };
}

export default async function FactionApp({ params, searchParams }: PageProps<"clientId">) {
  const { clientId } = await params;
  const access = await accessOf(clientId);
  const { application, factionName, members, endpoints, onlyChosen } = access;
  const events = eventWordsOf(application.scopes);
  const { decision } = application;
  return (
    <div className="grid max-w-content gap-6">
      <PageHeader
        trail={[{ label: "Apps", href: factionAppsPath }]}
        media={<Emblem of={application} />}
        title={<bdi>{application.name}</bdi>}
        status={<AccessStatus state={accessStateOf(application, onlyChosen)} />}
        lead={`What it reads of ${factionName}, and who approved it.`}
      />
      <DoneAlert searchParams={searchParams} />
      <Card title="Access" footer={<Decision access={access} />}>
        <KeyValueList
          items={[
            {
              label: "Members approved",
              wide: true,
              value: factionDataInWords(application.scopes) || "Nothing now",
            },
            ...(events.length > 0 && !application.blocked
              ? [{ label: "Gets events", wide: true, value: events.join(", ") }]
              : []),
            {
              label: "Last used",
              at: application.lastUsed,
            },
            {
              label: application.blocked ? "Blocked" : "Allowed",
              value: decision ? (
                <>
                  <Time at={decision.at} />
                  {decision.by && (
                    <>
                      {" "}
                      by <bdi>{decision.by}</bdi>
                    </>
                  )}
                </>
              ) : (
                "By default"
              ),
            },
          ]}
        />
      </Card>
      <TableCard
        title="What it read"
        description="Calls for your faction's data in the last 24 hours. Public data and members' own data are not counted."
        columns={endpointColumns}
        rows={endpoints}
        rowKey={({ method, route }) => `${method} ${route}`}
        empty={
          <EmptyState icon={<Activity />} title="No calls in 24 hours">
            What it reads with members' approvals appears here.
          </EmptyState>
        }
      />
      <TableCard
        title="Members who approved it"
        dense
        columns={memberColumns}
        rows={members}
        rowKey={({ playerId }) => playerId}
        order={{
          typed: (await readParam(searchParams, "sort")) ?? "-calls",
          page: `${factionAppsPath}/${application.clientId}`,
        }}
        empty={
          <EmptyState icon={<Users />} title="No member">
            Nobody approves it for your faction's data now.
          </EmptyState>
        }
      />
    </div>
  );
}

function Decision({ access: { application, members } }: { access: AccessOfApplication }) {
  const { clientId, name, blocked } = application;
  const fields = { app: clientId, client_id: clientId };
  if (blocked)
    return (
      <ConfirmButton
        label="Allow"
        what={name}
        tone="plain"
        action={factionAppsActPath}
        fields={{ ...fields, act: "allow" }}
        consequences={`${name} may read what members approve again. It gets events from now on, not those that it missed.`}
      />
    );
  const cut =
    members.length === 0
      ? "No member lets it read anything now."
      : `It loses what ${formatCount(members.length, "member", "members")} approved: ${factionDataInWords(application.scopes)}, and all events of them.`;
  return (
    <ConfirmButton
      label="Block"
      what={name}
      action={factionAppsActPath}
      fields={{ ...fields, act: "block" }}
      consequences={`${name} stops reading your faction's data at once, for all members. ${cut} Members' own data stays open to it, and it may keep what it already has. Members get a notice.`}
    />
  );
}

const endpointColumns: Column<AccessOfApplication["endpoints"][number]>[] = [
  {
    header: "Endpoint",
    primary: true,
    cell: ({ method, route }) => {
      const { title, href } = describeCall(method, route);
      return href ? <TextLink href={href}>{title}</TextLink> : title;
    },
  },
  { header: "Calls", numeric: true, cell: ({ calls }) => formatNumber(calls) },
  { header: "Refused", numeric: true, cell: ({ refused }) => formatNumber(refused) },
];

const memberColumns: Column<AccessOfApplication["members"][number]>[] = [
  {
    key: "name",
    header: "Member",
    primary: true,
    sortBy: ({ name }) => name,
    cell: (member) => <PlayerLink {...member} />,
  },
  { header: "Approved", cell: ({ scopes }) => factionDataInWords(scopes) },
  {
    key: "calls",
    header: "Calls in 24 hours",
    numeric: true,
    sortBy: ({ calls }) => calls,
    cell: ({ calls }) => formatNumber(calls),
  },
  {
    key: "since",
    header: "Since",
    at: ({ since }) => since,
  },
];
