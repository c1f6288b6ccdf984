import type { Metadata } from "next";
import { caller } from "#lib/caller";
import { csrfMeta } from "#lib/csrf-meta";
import { csrfToken } from "#lib/csrf-token";
import { requireUser } from "#lib/current-user";
import { readParam, type SearchParams } from "#lib/search-params";
import { Alert } from "#ui/alert";
import { LinkButton } from "#ui/link-button";
import { PageHeader } from "#ui/page-header";
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
        lead="Besides your game key or chat account, signing in can ask for a code that only your phone knows. Whoever finds your key then still cannot sign in."
      />
      {forAdmin && (
        <Alert
          tone={since ? "good" : "warn"}
          title={since ? "Administration is open to you" : "Administration needs a second factor"}
          actions={
            since && (
              <LinkButton href="/admin" document size="sm">
                Open administration
              </LinkButton>
            )
          }
        >
          {since
            ? "Store your backup codes first, if they are shown below."
            : "Set up an authenticator app below. Then administration opens in this browser."}
        </Alert>
      )}
      <SecondFactor since={since} backupCodesLeft={backupCodesLeft} />
    </div>
  );
}
