import { History } from "lucide-react";
import { playerCaller } from "#app/_lib/current-user";
import { type PageProps, readLogPosition } from "#app/_lib/search-params";
import { PlayerName } from "#app/_parts/player-link.tsx";
import { EmptyState } from "#app/_ui/card.tsx";
import { TableCard } from "#app/_ui/data-table.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import type { RouterOutputs } from "#server/portal/router";

export const metadata = { title: "History" };

export default async function AccountHistory({ searchParams }: PageProps) {
  const before = await readLogPosition(searchParams, "before");
  const { events, next } = await (await playerCaller()).account.history({ before });
  return (
    <>
      <PageHeader
        title="History"
        lead="Changes to your sessions, keys, applications and permissions in the last 90 days. If you don't recognise something, end your other sessions and replace your game key."
      />
      <TableCard
        caption="What happened to your account"
        rows={events}
        rowKey={(event) => event.id}
        empty={
          <EmptyState icon={<History />} title="No entries">
            Changes to sessions, keys and permissions appear here.
          </EmptyState>
        }
        columns={[
          {
            header: "What",
            primary: true,
            cell: ({ words, application }) => (
              <>
                <span className="font-medium">{words}</span>
                {application && (
                  <>
                    {" "}
                    · <bdi className="text-ink-soft">{application}</bdi>
                  </>
                )}
              </>
            ),
          },
          {
            header: "By",
            cell: (event) => <Doer {...event} />,
          },
          {
            header: "Your address",
            cell: ({ address }) => <span className="tabular">{address ?? "–"}</span>,
          },
          { header: "When", at: ({ at }) => at },
        ]}
      />
      {next && (
        <div>
          <LinkButton href={`/account/history?before=${next}`}>Older</LinkButton>
        </div>
      )}
    </>
  );
}

type OwnEvent = RouterOutputs["account"]["history"]["events"][number];

const doers: Readonly<Record<OwnEvent["by"], string>> = {
  you: "You",
  banker: "A banker",
  admin: "An admin",
  developer: "The developer",
  somebody: "Another player",
  application: "The application",
  anonymous: "Not signed in",
  service: "Adjutant",
};

function Doer({ by, banker }: Pick<OwnEvent, "by" | "banker">) {
  if (!banker) return doers[by];
  return (
    <>
      The banker <PlayerName {...banker} />
    </>
  );
}
