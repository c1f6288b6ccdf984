import { KeyRound, SearchX } from "lucide-react";
import { caller } from "#app/_lib/caller";
import { pageAddress, requireUser } from "#app/_lib/current-user";
import { formatCount, formatNumber, formatTwoDecimals } from "#app/_lib/format";
import { type PageProps, readParam, readParams } from "#app/_lib/search-params";
import { gameName, pageSettings } from "#app/_lib/settings";
import { signInPath } from "#app/_lib/sign-in-path";
import { DemoProgress } from "#app/_parts/demo-progress.tsx";
import { PlayerLink } from "#app/_parts/player-link.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { type Column, DataTable } from "#app/_ui/data-table.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import { StatScoreMissing } from "#server/failures";
import { profileUrl } from "#server/game/site-urls";
import type { ChainTarget } from "#server/stats/chain-list/generate-chain-list";
import { refusalOf } from "#server/trpc/refusal";
import {
  type RawTargetFilter,
  readTargetFilter,
  TargetFilterForm,
  targetFilterFields,
} from "./_parts/filter-form";

export const metadata = { title: "Targets" };

export default async function Targets({ searchParams }: PageProps) {
  await requireUser();
  const typed = await readParams(searchParams, targetFilterFields);
  const { filter, wrong = [] } = readTargetFilter(typed);
  return (
    <>
      <PageHeader
        title="Targets"
        lead="Fair-fight targets based on scores you can see. Your own faction is left out."
      />
      <TargetFilterForm typed={typed} wrong={wrong} />
      {wrong.length > 0 && (
        <Alert tone="bad" title="No list was made" live>
          Correct the marked filters.
        </Alert>
      )}
      {filter && (
        <Found filter={filter} typed={typed} sort={await readParam(searchParams, "sort")} />
      )}
    </>
  );
}

type FoundProps = {
  filter: NonNullable<ReturnType<typeof readTargetFilter>["filter"]>;
  typed: RawTargetFilter;
  sort: string | undefined;
};

async function Found({ filter, typed, sort }: FoundProps) {
  const { targets } = await caller();
  const found = await targets.find(filter).catch((thrown: unknown) => {
    const refusal = refusalOf(thrown);
    if (refusal.code === undefined) throw thrown;
    return refusal;
  });
  if (!("status" in found))
    return (
      <>
        {found.length === 0 && <DemoProgress page="/faction/targets" />}
        <Card title={formatCount(found.length, "target")} flush>
          <TargetsTable targets={found} typed={typed} sort={sort} />
        </Card>
      </>
    );
  if (found.code !== StatScoreMissing.code)
    return (
      <Alert tone="warn" title="No list was made" live>
        {found.message}
      </Alert>
    );
  return (
    <Card flush>
      <EmptyState
        icon={<KeyRound />}
        title="Your own strength is not known"
        action={
          <LinkButton
            href={signInPath({ next: await pageAddress(), for: "stats" })}
            variant="primary"
          >
            Add a key
          </LinkButton>
        }
      >
        Fair fight depends on your own stats. Add a {gameName()} API key that reads them, or have a
        leader <TextLink href="/faction/stats">import</TextLink> the faction's scores.
      </EmptyState>
    </Card>
  );
}

type TargetsTableProps = Pick<FoundProps, "typed" | "sort"> & { targets: readonly ChainTarget[] };

const profileOf = (playerId: number) => profileUrl(pageSettings(), playerId);

const profileColumn = (): Column<ChainTarget> => ({
  header: `Open in ${gameName()}`,
  actions: true,
  cell: ({ playerId, name }) => (
    <LinkButton href={profileOf(playerId) ?? ""} size="sm">
      Open<span className="sr-only"> {name}</span>
    </LinkButton>
  ),
});

function TargetsTable({ targets, typed, sort }: TargetsTableProps) {
  const hasProfiles = targets.some(({ playerId }) => profileOf(playerId));
  return (
    <DataTable
      caption="Targets"
      dense
      rows={targets}
      order={{ typed: sort, page: "/faction/targets", query: typed }}
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
          at: ({ timeAdded }) => timeAdded,
        },
        {
          key: "faction",
          header: "Faction",
          unlabelled: true,
          sortBy: ({ faction }) => faction?.name ?? null,
          cell: ({ faction }) => faction?.name || "No faction",
        },
        ...(hasProfiles ? [profileColumn()] : []),
      ]}
    />
  );
}
