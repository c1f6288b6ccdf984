import { ScrollText } from "lucide-react";
import type { ReactNode } from "react";
import { EventDetails } from "#app/_parts/event-details.tsx";
import { PlayerName } from "#app/_parts/player-link.tsx";
import { EmptyState } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { pathWith } from "#app/_ui/path-with";
import { TextLink } from "#app/_ui/text-link.tsx";
import type { RouterOutputs } from "#server/portal/router";
import { AccountLink } from "./links";

type NamedEvent = RouterOutputs["operations"]["audit"]["events"][number];

export function EventsTable({ events }: { events: readonly NamedEvent[] }) {
  return (
    <DataTable
      caption="Events"
      dense
      rows={events}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={<ScrollText />} title="No matching event">
          Use fewer filters, or check the number.
        </EmptyState>
      }
      columns={[
        {
          header: "What",
          primary: true,
          cell: ({ words, details }) => (
            <>
              <span className="font-medium">{words}</span>
              <EventDetails details={details} />
            </>
          ),
        },
        { header: "By", cell: ({ by }) => nameOf(by) },
        {
          header: "About",
          cell: ({ accountId, player, clientId, application }) => (
            <span className="grid gap-1.5">
              {accountId && <AccountLink accountId={accountId} player={player} />}
              {clientId && clientLink(clientId, application)}
              {!accountId && !clientId && <span className="text-ink-faint">Unknown</span>}
            </span>
          ),
        },
        {
          header: "From",
          cell: ({ address, requestId }) => (
            <>
              <span className="tabular">{address ? searchLink(address) : "Unknown"}</span>
              {requestId && (
                <code className="block font-mono text-xs text-ink-faint">
                  {searchLink(requestId)}
                </code>
              )}
            </>
          ),
        },
        { header: "When", at: ({ at }) => at },
      ]}
    />
  );
}

function nameOf(by: NamedEvent["by"]): ReactNode {
  if (by.kind === "account") return <AccountLink {...by} />;
  if (by.kind === "player")
    return (
      <>
        <PlayerName {...by.player} />, in the chat
      </>
    );
  if (by.kind === "client") return clientLink(by.clientId, by.name);
  if (by.kind === "operator") return "The operator";
  return by.what === "anonymous" ? "Not signed in" : by.what;
}

const clientLink = (clientId: string, name: string | null) => (
  <TextLink href={`/admin/applications/${clientId}`} plain className="hover:underline">
    <bdi>{name ?? clientId}</bdi>
  </TextLink>
);

const searchLink = (search: string) => (
  <TextLink
    href={pathWith("/admin/audit", { search })}
    plain
    className="inline-flex min-h-6 items-center hover:underline"
  >
    {search}
  </TextLink>
);
