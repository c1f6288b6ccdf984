import type { Metadata } from "next";
import { caller } from "#app/_lib/caller";
import { requireUser } from "#app/_lib/current-user";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { NoFaction } from "../_parts/no-faction";
import { Balance } from "./_parts/balance";
import { OwnRequests } from "./_parts/own-requests";
import { Queue } from "./_parts/queue";
import { RequestForm } from "./_parts/request-form";

export const metadata: Metadata = { title: "Vault" };

const done = {
  requested: "Request sent. Your bankers see it in the chat, and you get a notice when it is answered.",
  cancelled: "The request is cancelled.",
};
const wrong = { gone: "Nothing was cancelled: the request is over already, or it is not yours to cancel." };

/** The faction's vault: what one has there, asking for it, and for bankers what waits. Needs no script. */
export default async function Banking({ searchParams }: { searchParams: SearchParams }) {
  await requireUser("/faction/banking");
  const page = await (await caller()).banking.page();
  if (!page) return <NoFaction title="Vault">its vault appears here.</NoFaction>;

  const { factionId, factionName, link, own, queue, pays } = page;
  const read = (name: string) => readParam(searchParams, name);
  const error = await read("error");
  const typed = { amount: await read("amount"), currency: await read("currency"), waits: await read("waits") };
  return (
    <div className="grid gap-6">
      <PageHeader title="Vault" lead={`Your balance and withdrawals at ${factionName}.`} />
      <FormNotice searchParams={searchParams} done={done} wrong={wrong} refused="No request was made" />
      {queue && <Queue factionId={factionId} requests={queue} pays={pays} />}
      <Balance shown={(await read("balance")) === "show"} />
      <RequestForm ready={link === "ready"} typed={typed} wrongAmount={error === "amount"} />
      <OwnRequests factionId={factionId} requests={own} />
    </div>
  );
}
