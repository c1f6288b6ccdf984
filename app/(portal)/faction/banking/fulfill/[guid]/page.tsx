import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { caller, isUnknown } from "#app/_lib/caller";
import { requireUser } from "#app/_lib/current-user";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { FollowVault } from "../../_parts/follow-vault";
import { Pay } from "./_parts/pay";
import { RequestOver } from "./_parts/request-over";

export const metadata: Metadata = { title: "Pay a request" };

type Props = { params: Promise<{ guid: string }>; searchParams: SearchParams };

/** A request, for a banker of its faction; for anybody else there is no such page. Reading it changes nothing. Needs no script. */
export default async function Fulfilment({ params, searchParams }: Props) {
  const { guid } = await params;
  await requireUser(`/faction/banking/fulfill/${guid}`);
  const shown = await (await caller()).banking.fulfilment({ guid }).catch((thrown) => {
    if (isUnknown(thrown)) notFound();
    throw thrown;
  });
  const done = await readParam(searchParams, "done");
  return (
    <>
      <FollowVault />
      {shown.request.outcome === "waiting" ? <Pay {...shown} /> : <RequestOver {...shown} done={done} />}
    </>
  );
}
