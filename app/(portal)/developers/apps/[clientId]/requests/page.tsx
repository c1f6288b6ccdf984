import type { Metadata } from "next";
import { caller } from "#app/_lib/caller";
import { ownApplication } from "#app/_lib/own-application";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { Card } from "#app/_ui/card.tsx";
import { callOutcomes } from "#server/oauth/clients/traffic/traffic";
import { CallsTable, OutcomeFilter } from "../_parts/calls-table";
import { ListFooter } from "../_parts/list-parts";

type Props = { params: Promise<{ clientId: string }>; searchParams: SearchParams };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Requests of ${(await ownApplication((await params).clientId)).name}` };
}

/** The last calls, and why those failed that did. */
export default async function Requests({ params, searchParams }: Props) {
  const { clientId } = await ownApplication((await params).clientId);
  const asked = await readParam(searchParams, "outcome");
  const outcome = callOutcomes.find((known) => known === asked) ?? "all";
  const after = (await readParam(searchParams, "after"))?.slice(0, 100);
  const { rows, next } = await (await caller()).applications.calls({ clientId, outcome, after: after ?? null });
  const page = `/developers/apps/${clientId}/requests`;
  const address = outcome === "all" ? page : `${page}?outcome=${outcome}`;
  return (
    <Card
      title="Last calls"
      description="Calls made in players' names, newest first."
      actions={<OutcomeFilter page={page} chosen={outcome} />}
      flush
      footer={
        <ListFooter address={address} after={after} next={next}>
          The last seven days.
        </ListFooter>
      }
    >
      <CallsTable calls={rows} page={page} filtered={outcome !== "all"} />
    </Card>
  );
}
