import type { Metadata } from "next";
import { caller } from "#app/_lib/caller";
import { ownApplication } from "#app/_lib/current-user";
import type { SearchParams } from "#app/_lib/search-params";
import { ListFooter } from "#app/_parts/list-footer.tsx";
import { Card } from "#app/_ui/card.tsx";
import { CallsTable } from "../_parts/calls-table";
import { CallFilters, readCallQuery } from "./_parts/call-filters";

type Props = { params: Promise<{ clientId: string }>; searchParams: SearchParams };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Requests of ${(await ownApplication((await params).clientId)).name}` };
}

export default async function Requests({ params, searchParams }: Props) {
  const { clientId } = await ownApplication((await params).clientId);
  const page = `/developers/apps/${clientId}/requests`;
  const { filter, address, isFiltered, fields } = readCallQuery(page, await searchParams);
  const { rows, next, unknownPlayer } = await (await caller()).applications.calls({
    clientId,
    ...filter,
  });
  return (
    <Card
      title="Requests"
      description="Every API call with a token of this application, newest first. Calls with a dead token are listed for one day."
      flush
      footer={
        <ListFooter address={address} after={filter.after ?? undefined} next={next}>
          Kept for 30 days.
        </ListFooter>
      }
    >
      <CallFilters
        page={page}
        fields={fields}
        isFiltered={isFiltered}
        unknownPlayer={unknownPlayer}
      />
      <CallsTable calls={rows} page={page} filtered={isFiltered} />
    </Card>
  );
}
