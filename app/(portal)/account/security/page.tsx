import type { Metadata } from "next";
import { requireUser } from "#app/_lib/current-user";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { Interactive, prefetcher } from "#app/_parts/interactive.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { SecondFactor } from "./_parts/second-factor";

export const metadata: Metadata = { title: "Second factor" };

/** What signing in asks for besides the first proof. */
export default async function Security({ searchParams }: { searchParams: SearchParams }) {
  const user = await requireUser("/account/security");
  const forAdmin = (await readParam(searchParams, "for")) === "admin" && user.admin;
  await (await prefetcher()).secondFactor.show.fetch();
  return (
    <div className="grid max-w-180 gap-6">
      <PageHeader
        title="Second factor"
        lead="Signing in can also ask for a code from your phone. Then nobody can sign in with your game key or chat account alone."
      />
      <Interactive>
        <SecondFactor forAdmin={forAdmin} />
      </Interactive>
    </div>
  );
}
