import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { caller, isUnknown } from "#app/_lib/caller";
import { requireUser } from "#app/_lib/current-user";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { FollowVault } from "../../_parts/follow-vault";
import { Pay } from "./_parts/pay";
import { RequestOver } from "./_parts/request-over";

type Props = { params: Promise<{ guid: string }>; searchParams: SearchParams };

/** Read once for the page and its title. */
const readRequest = cache(async (guid: string) => {
  await requireUser();
  return (await caller()).banking.fulfilment({ guid }).catch((thrown) => {
    if (isUnknown(thrown)) notFound();
    throw thrown;
  });
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { request, own } = await readRequest((await params).guid);
  return { title: own ? `Your request #${request.id}` : `Request #${request.id} of ${request.requester.name}` };
}

/** A request, for a banker of its faction; for anybody else there is no such page. Reading it changes nothing. Needs no script. */
export default async function Fulfilment({ params, searchParams }: Props) {
  const shown = await readRequest((await params).guid);
  const done = await readParam(searchParams, "done");
  return (
    <>
      <FollowVault />
      {shown.request.outcome === "waiting" ? <Pay {...shown} /> : <RequestOver {...shown} done={done} />}
    </>
  );
}
