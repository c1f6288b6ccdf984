import { SearchX } from "lucide-react";
import { formatNumber, formatTwoDecimals } from "#app/_lib/format";
import { pageSettings } from "#app/_lib/settings";
import { PlayerLink } from "#app/_parts/player-link.tsx";
import { type Column, DataTable } from "#app/_ui/data-table.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { profileUrl } from "#server/game/site-urls";
import type { ChainTarget } from "#server/stats/chain-list/generate-chain-list";
import type { TypedTargets } from "./filter-form";

type Props = {
  targets: readonly ChainTarget[];
  gameName: string;
  sort: string | undefined;
  query: TypedTargets;
};

const profileOf = (playerId: number) => profileUrl(pageSettings(), playerId);

const profileColumn = (gameName: string): Column<ChainTarget> => ({
  key: "go",
  header: `Open in ${gameName}`,
  actions: true,
  cell: ({ playerId, name }) => (
    <LinkButton href={profileOf(playerId) ?? ""} size="sm">
      Open<span className="sr-only"> {name}</span>
    </LinkButton>
  ),
});

export function TargetsTable({ targets, gameName, sort, query }: Props) {
  const hasProfiles = targets.some(({ playerId }) => profileOf(playerId));
  return (
    <DataTable
      caption="Targets"
      dense
      rows={targets}
      order={{ typed: sort, page: "/faction/targets", query }}
      rowKey={({ playerId }) => playerId}
      empty={
        <EmptyState icon={<SearchX />} title="No target fits">
          Widen the range of fair fight or level. Scores come from the fights of factions that use
          Adjutant.
        </EmptyState>
      }
      columns={[
        {
          key: "name",
          header: "Target",
          primary: true,
          sortBy: ({ name }) => name,
          cell: (player) => <PlayerLink {...player} />,
        },
        {
          key: "level",
          header: "Level",
          sortBy: ({ level }) => level,
          numeric: true,
          cell: ({ level }) => level,
        },
        {
          key: "fair",
          header: "Fair fight",
          sortBy: ({ fairFight }) => fairFight,
          numeric: true,
          cell: ({ fairFight }) => formatTwoDecimals(fairFight),
        },
        {
          key: "respect",
          header: "Respect",
          sortBy: ({ respect }) => respect,
          numeric: true,
          cell: ({ respect }) => formatTwoDecimals(respect),
        },
        {
          key: "score",
          header: "Score",
          sortBy: ({ score }) => score,
          numeric: true,
          cell: ({ score }) => formatNumber(Math.round(score)),
        },
        {
          key: "seen",
          header: "Score seen",
          sortBy: ({ timeAdded }) => timeAdded,
          at: ({ timeAdded }) => timeAdded,
        },
        {
          key: "faction",
          header: "Faction",
          unlabelled: true,
          sortBy: ({ faction }) => faction?.name ?? null,
          cell: ({ faction }) => faction?.name || "No faction",
        },
        ...(hasProfiles ? [profileColumn(gameName)] : []),
      ]}
    />
  );
}
