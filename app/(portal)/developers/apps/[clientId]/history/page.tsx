import { History } from "lucide-react";
import { caller } from "#app/_lib/caller";
import { applicationMetadata, requireApplication } from "#app/_lib/current-user";
import { type PageProps, readLogPosition } from "#app/_lib/search-params";
import { EventDetails } from "#app/_parts/event-details.tsx";
import { ListFooter } from "#app/_parts/list-controls.tsx";
import { PlayerName } from "#app/_parts/player-link.tsx";
import { EmptyState } from "#app/_ui/card.tsx";
import { TableCard } from "#app/_ui/data-table.tsx";
import type { RouterOutputs } from "#server/portal/router";

export const generateMetadata = applicationMetadata("History of");

export default async function ApplicationHistory({ params, searchParams }: PageProps<"clientId">) {
  const { clientId } = await requireApplication(await params);
  const after = await readLogPosition(searchParams, "after");
  const { events, next } = await (await caller()).team.history({ clientId, before: after });
  return (
    <TableCard
      title="History"
      description="Changes to settings, secrets, webhooks and the team in the last 90 days. Secrets themselves are never recorded."
      footer={
        <ListFooter address={`/developers/apps/${clientId}/history`} after={after} next={next}>
          Newest first.
        </ListFooter>
      }
      rows={events}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={<History />} title="No changes in 90 days">
          Changes to settings, secrets and the team appear here.
        </EmptyState>
      }
      columns={[
        {
          header: "What",
          primary: true,
          cell: ({ words, about, details }) => (
            <>
              <span className="wrap-anywhere">
                <span className="font-medium">{words}</span>
                {about && (
                  <>
                    {" "}
                    · <PlayerName {...about} />
                  </>
                )}
              </span>
              <EventDetails details={details} />
            </>
          ),
        },
        { header: "By", cell: ({ by }) => <Doer by={by} /> },
        { header: "When", at: ({ at }) => at },
      ]}
    />
  );
}

type By = RouterOutputs["team"]["history"]["events"][number]["by"];

const doers: Readonly<Record<Extract<By, string>, string>> = {
  admin: "An admin",
  "deleted-account": "A deleted account",
  service: "Adjutant",
};

const Doer = ({ by }: { by: By }) => (typeof by === "string" ? doers[by] : <PlayerName {...by} />);
