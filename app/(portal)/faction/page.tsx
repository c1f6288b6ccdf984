import type { Metadata } from "next";
import { pageAddress, requireUser } from "#app/_lib/current-user";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { gameName } from "#app/_lib/settings";
import { signInPath } from "#app/_lib/sign-in-path";
import { Interactive, prefetcher } from "#app/_parts/interactive.tsx";
import { Card } from "#app/_ui/card.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { Board } from "./_parts/board";
import { MemberFilter } from "./_parts/member-filter";
import { Members } from "./_parts/members";
import { NoFaction } from "./_parts/no-faction";

export const metadata: Metadata = { title: "Faction board" };

/** What waits in the faction, and its members. Without script it shows how things stood when it was loaded. */
export default async function FactionBoard({ searchParams }: { searchParams: SearchParams }) {
  await requireUser();
  const read = (name: string) => readParam(searchParams, name);
  const filter = { state: await read("state"), active: await read("active"), name: await read("name") };
  const { factionBoard } = await prefetcher();
  const [board] = await Promise.all([
    factionBoard.show.fetch(),
    factionBoard.hits.fetch(),
    factionBoard.crimes.fetch(),
    factionBoard.vault.fetch(),
    factionBoard.members.fetch(filter),
  ]);
  if (!board) return <NoFaction title="Board">its hits, crimes and members appear here.</NoFaction>;
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Board"
        lead={`What ${board.factionName} has to do now.`}
        actions={
          <noscript>
            <TextLink href="/faction" document>
              Load again
            </TextLink>
          </noscript>
        }
      />
      <Interactive>
        <Board gameName={gameName()} addKeyHref={signInPath({ next: await pageAddress(), for: "limited-key" })} />
        <Card id="members" title="Members" flush>
          <MemberFilter filter={filter} />
          <Members filter={filter} sort={await read("sort")} />
        </Card>
      </Interactive>
    </div>
  );
}
