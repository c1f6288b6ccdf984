import { KeyRound } from "lucide-react";
import type { Metadata } from "next";
import { caller } from "#app/_lib/caller";
import { pageAddress, requireUser } from "#app/_lib/current-user";
import { formatCount } from "#app/_lib/format";
import { readParam, readParams, type SearchParams } from "#app/_lib/search-params";
import { gameName } from "#app/_lib/settings";
import { signInPath } from "#app/_lib/sign-in-path";
import { DemoProgress } from "#app/_parts/demo-progress.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Card } from "#app/_ui/card.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import { StatScoreMissing } from "#server/failures";
import { refusalOf } from "#server/trpc/refusal";
import { readFilter, TargetFilters, type TypedTargets, targetFields } from "./_parts/filter-form";
import { TargetsTable } from "./_parts/targets-table";

export const metadata: Metadata = { title: "Targets" };

/** Filters are in the address. Works without script. */
export default async function Targets({ searchParams }: { searchParams: SearchParams }) {
  await requireUser();
  const typed = await readParams(searchParams, targetFields);
  const { filter, wrong = [] } = readFilter(typed);
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Targets"
        lead="Fair-fight targets based on scores you can see. Your own faction is left out."
      />
      <TargetFilters typed={typed} wrong={wrong} />
      {wrong.length > 0 && (
        <Alert tone="bad" title="No list was made" live>
          Correct the marked filters.
        </Alert>
      )}
      {filter && (
        <Found filter={filter} typed={typed} sort={await readParam(searchParams, "sort")} />
      )}
    </div>
  );
}

type FoundProps = {
  filter: NonNullable<ReturnType<typeof readFilter>["filter"]>;
  typed: TypedTargets;
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
          <TargetsTable targets={found} gameName={gameName()} sort={sort} query={typed} />
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
            document
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
