import { Search } from "lucide-react";
import { redirect } from "next/navigation";
import { playerCaller } from "#app/_lib/current-user";
import { type PageProps, readParam } from "#app/_lib/search-params";
import { gameName } from "#app/_lib/settings";
import { PlayerLink } from "#app/_parts/player-link.tsx";
import { Button } from "#app/_ui/button.tsx";
import { EmptyState } from "#app/_ui/card.tsx";
import { TableCard } from "#app/_ui/data-table.tsx";
import { InputField } from "#app/_ui/field.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";

export const metadata = { title: "Players" };

export default async function Players({ searchParams }: PageProps) {
  const typed = ((await readParam(searchParams, "q")) ?? "").trim().slice(0, 100);
  const found = await (await playerCaller()).players.find({ typed });
  if (found.playerId !== undefined) redirect(`/players/${found.playerId}`);
  const { players, more } = found;
  return (
    <div className="grid gap-6">
      <PageHeader title="Players" lead={`Look up a ${gameName()} player by name or ID.`} />
      <search>
        <form method="get" action="/players" className="flex max-w-120 items-end gap-3">
          <InputField
            name="q"
            label="Name or ID"
            className="flex-1"
            type="search"
            defaultValue={typed}
            maxLength={100}
          />
          <Button type="submit" variant="primary">
            Look up
          </Button>
        </form>
      </search>
      {typed && (
        <TableCard
          caption="Players found"
          title={`Names that begin with “${typed}”`}
          description={more ? "The first 25. Type more of the name to see others." : undefined}
          rows={players}
          rowKey={({ playerId }) => playerId}
          empty={
            <EmptyState icon={<Search />} title="Nobody found">
              Adjutant knows members of factions that use it, their opponents, and players who
              signed in. Try the exact player ID.
            </EmptyState>
          }
          columns={[
            { header: "Player", primary: true, cell: (player) => <PlayerLink {...player} /> },
            { header: "Level", numeric: true, cell: ({ level }) => level ?? "–" },
            { header: "Faction", cell: ({ factionName }) => factionName ?? "–" },
            { header: "Last action", at: ({ lastAction }) => lastAction, never: "–" },
          ]}
        />
      )}
    </div>
  );
}
