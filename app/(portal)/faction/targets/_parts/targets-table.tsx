import { SearchX } from "lucide-react";
import { formatNumber } from "#app/_lib/format";
import { PlayerLink } from "#app/_parts/player-link.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { profileUrl } from "#server/game/site-urls";
import type { ChainTarget } from "#server/stats/chain-list/generate-chain-list";

const twoDecimals = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The targets found, each with the way to attack them. */
export function TargetsTable({ targets, gameName }: { targets: readonly ChainTarget[]; gameName: string }) {
  return (
    <DataTable
      caption="Targets"
      rows={targets}
      rowKey={({ playerId }) => playerId}
      empty={
        <EmptyState icon={<SearchX />} title="No target fits">
          Widen the range of fair fight or level. Scores come from fights that were read here.
        </EmptyState>
      }
      columns={[
        {
          key: "name",
          header: "Target",
          primary: true,
          cell: (player) => <PlayerLink {...player} />,
        },
        { key: "level", header: "Level", numeric: true, cell: ({ level }) => level },
        { key: "fair", header: "Fair fight", numeric: true, cell: ({ fairFight }) => twoDecimals.format(fairFight) },
        { key: "respect", header: "Respect", numeric: true, cell: ({ respect }) => twoDecimals.format(respect) },
        { key: "score", header: "Score", numeric: true, cell: ({ score }) => formatNumber(Math.round(score)) },
        { key: "seen", header: "Score seen", nowrap: true, cell: ({ timeAdded }) => <Time at={timeAdded} /> },
        { key: "faction", header: "Faction", cell: ({ faction }) => faction?.name || "–" },
        {
          key: "go",
          header: `Open in ${gameName}`,
          actions: true,
          cell: ({ playerId, name }) => (
            <LinkButton href={profileUrl(playerId)} size="sm">
              Open<span className="sr-only"> {name}</span>
            </LinkButton>
          ),
        },
      ]}
    />
  );
}
