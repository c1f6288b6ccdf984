import type { Metadata } from "next";
import { caller } from "#lib/caller";
import { csrfMeta } from "#lib/csrf-meta";
import { csrfToken } from "#lib/csrf-token";
import { requireUser } from "#lib/current-user";
import { PageHeader } from "#ui/page-header";
import { SecondFactor } from "./_parts/second-factor";

export const metadata: Metadata = { title: "Second factor" };

/** What signing in asks for besides the first proof. */
export default async function Security() {
  await requireUser("/account/security");
  const { since, backupCodesLeft } = await (await caller()).secondFactor.show();
  return (
    <div className="grid max-w-180 gap-6">
      <meta name={csrfMeta} content={await csrfToken()} />
      <PageHeader
        title="Second factor"
        lead="Besides your game key or chat account, signing in can ask for a code that only your phone knows. Whoever finds your key then still cannot sign in."
      />
      <SecondFactor since={since} backupCodesLeft={backupCodesLeft} />
    </div>
  );
}
