import type { Metadata } from "next";
import { requireUser } from "#app/_lib/current-user";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { gameName } from "#app/_lib/settings";
import { Interactive, prefetcher } from "#app/_parts/interactive.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { Passkeys } from "./_parts/passkeys";
import { SecondFactor } from "./_parts/second-factor";

export const metadata: Metadata = { title: "Security" };

export default async function Security({ searchParams }: { searchParams: SearchParams }) {
  const user = await requireUser();
  const forAdmin = (await readParam(searchParams, "for")) === "admin" && user.admin;
  const prefetch = await prefetcher();
  await Promise.all([prefetch.secondFactor.show.fetch(), prefetch.passkeys.show.fetch()]);
  return (
    <div className="grid max-w-content gap-6">
      <PageHeader
        title="Security"
        lead={`Sign in with a passkey instead of your ${gameName()} API key, and protect key sign-in with an authenticator app.`}
      />
      <Interactive>
        {!forAdmin && <Passkeys />}
        <SecondFactor forAdmin={forAdmin} />
        {forAdmin && <Passkeys />}
      </Interactive>
    </div>
  );
}
