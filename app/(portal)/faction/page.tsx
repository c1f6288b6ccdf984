import { pageAddress, requireUser } from "#app/_lib/current-user";
import { type PageProps, readParams } from "#app/_lib/search-params";
import { gameName } from "#app/_lib/settings";
import { signInPath } from "#app/_lib/sign-in-path";
import { ActButton } from "#app/_parts/csrf-form.tsx";
import { ClientProviders, prefetcher } from "#app/_parts/interactive.tsx";
import { FilterForm, filterFieldProps } from "#app/_parts/list-controls.tsx";
import { Card } from "#app/_ui/card.tsx";
import { InputField, SelectField } from "#app/_ui/field.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { memberActivities, memberStates } from "#server/faction/show-board";
import { Board } from "./_parts/board";
import { type RawMemberFilter, stateWords } from "./_parts/describe-member";
import { MembersTable } from "./_parts/members";
import { NoFaction } from "./_parts/no-faction";

export const metadata = { title: "Faction board" };

export default async function FactionBoard({ searchParams }: PageProps) {
  await requireUser();
  const { sort, ...filter } = await readParams(searchParams, ["sort", "state", "active", "name"]);
  const { factionBoard } = await prefetcher();
  const [board] = await Promise.all([
    factionBoard.show.fetch(),
    factionBoard.hits.fetch(),
    factionBoard.crimes.fetch(),
    factionBoard.vault.fetch(),
    factionBoard.members.fetch(filter),
  ]);
  if (!board)
    return <NoFaction title="Board">its retaliations, OCs and members appear here.</NoFaction>;
  return (
    <>
      <PageHeader
        title="Board"
        lead={`What needs doing in ${board.factionName}`}
        actions={
          <noscript>
            <TextLink href="/faction" document>
              Load again
            </TextLink>
          </noscript>
        }
      />
      <ClientProviders>
        <Board
          gameName={gameName()}
          addKeyHref={signInPath({ next: await pageAddress(), for: "faction" })}
        />
        <Card
          id="members"
          title="Members"
          flush
          actions={
            <ActButton action="/faction/members" fields={filter}>
              Save CSV
            </ActButton>
          }
        >
          <MemberFilter filter={filter} />
          <MembersTable filter={filter} sort={sort} />
        </Card>
      </ClientProviders>
    </>
  );
}

const activityWords = {
  now: "In the last 15 minutes",
  day: "In the last day",
  week: "In the last week",
  idle: "Not for a week",
} as const;

const anyOption = { value: "", label: "Any" };
const stateOptions = [
  anyOption,
  ...memberStates.map((value) => ({ value, label: stateWords[value] ?? value })),
];
const activityOptions = [
  anyOption,
  ...memberActivities.map((value) => ({ value, label: activityWords[value] })),
];

function MemberFilter({ filter }: { filter: RawMemberFilter }) {
  return (
    <FilterForm
      action="/faction#members"
      isFiltered={Object.values(filter).some(Boolean)}
      className="block px-4 py-4 sm:px-5"
    >
      <InputField
        {...filterFieldProps}
        name="name"
        label="Name"
        className="grow basis-40"
        type="search"
        defaultValue={filter.name}
        maxLength={50}
      />
      <SelectField
        {...filterFieldProps}
        name="state"
        label="Status"
        className="basis-32 max-sm:grow"
        options={stateOptions}
        defaultValue={filter.state ?? ""}
      />
      <SelectField
        {...filterFieldProps}
        name="active"
        label="Active"
        className="basis-44 max-sm:grow"
        options={activityOptions}
        defaultValue={filter.active ?? ""}
      />
    </FilterForm>
  );
}
