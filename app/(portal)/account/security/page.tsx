import type { Metadata } from "next";
import { caller } from "#app/_lib/caller";
import { csrfMeta } from "#app/_lib/csrf";
import { csrfToken } from "#app/_lib/csrf-token";
import { requireUser } from "#app/_lib/current-user";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { Alert } from "#app/_ui/alert.tsx";
import { LinkButton } from "#app/_ui/link-button.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { SecondFactor } from "./_parts/second-factor";

export const metadata: Metadata = { title: "Second factor" };

/** What signing in asks for besides the first proof. */
export default async function Security({ searchParams }: { searchParams: SearchParams }) {
  const user = await requireUser("/account/security");
  const forAdmin = (await readParam(searchParams, "for")) === "admin" && user.admin;
  const { since, backupCodesLeft } = await (await caller()).secondFactor.show();
  return (
    <div className="grid max-w-180 gap-6">
      <meta name={csrfMeta} content={await csrfToken()} />
      <PageHeader
        title="Second factor"
        lead="Signing in can also ask for a code from your phone. Then nobody can sign in with your game key or chat account alone."
      />
      {forAdmin && (
        <Alert
          tone={since ? "good" : "warn"}
          title={since ? "You can open the administration" : "Administration needs a second factor"}
          actions={
            since && (
              <LinkButton href="/admin" document size="sm">
                Open administration
              </LinkButton>
            )
          }
        >
          {since
            ? "Store your backup codes first if they are shown below."
            : "Set up an authenticator app below to open it in this browser."}
        </Alert>
      )}
      <SecondFactor since={since} backupCodesLeft={backupCodesLeft} />
    </div>
  );
}
