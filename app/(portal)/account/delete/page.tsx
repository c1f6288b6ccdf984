import type { Metadata } from "next";
import { caller } from "#lib/caller";
import { confirmPath } from "#lib/confirm-path";
import { requireUser } from "#lib/current-user";
import { portalContext } from "#lib/portal-context";
import { readParam, type SearchParams } from "#lib/search-params";
import { CsrfForm } from "#parts/csrf-form";
import { isConfirmed } from "#server/auth/confirmation";
import { Alert } from "#ui/alert";
import { Button } from "#ui/button";
import { Card } from "#ui/card";
import { Field } from "#ui/field";
import { Input } from "#ui/input";
import { LinkButton } from "#ui/link-button";
import { PageHeader } from "#ui/page-header";
import { deletionInWords } from "./_parts/deletion-in-words";

export const metadata: Metadata = { title: "Delete your account" };

/** Says what deleting the account cuts, and wants the player's name for it. Needs no script. */
export default async function DeleteAccount({ searchParams }: { searchParams: SearchParams }) {
  const user = await requireUser("/account/delete");
  const portal = await caller();
  const [{ player }, deletion, { context }] = await Promise.all([
    portal.account.overview(),
    portal.account.deletion(),
    portalContext(),
  ]);
  const wrongName = (await readParam(searchParams, "error")) === "name";
  return (
    <div className="grid max-w-180 gap-6">
      <PageHeader
        title="Delete your account"
        lead="It cannot be brought back."
        trail={[{ label: "Account", href: "/account" }]}
      />
      <Card title="What ends at once">
        <ul className="grid list-disc gap-1.5 pl-5">
          {deletionInWords(deletion).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </Card>
      <Card title="What stays">
        <ul className="grid list-disc gap-1.5 pl-5 text-ink-soft">
          <li>
            What the game shows of you to everybody, such as name, level, faction and counters, as for players who never
            signed in.
          </li>
          <li>What your faction knows of you: requests to the vault that ended, and delays of organized crimes.</li>
          <li>Scores of opponents that your fights told. Nothing says any more who told them.</li>
          <li>Log lines without your name: of calls for 30 days, of acts that concern rights for 90 days.</li>
          <li>Your key in the game. Delete it there too if nothing else uses it.</li>
        </ul>
        <p className="mt-3 text-ink-soft">If you sign in again one day, you start with a new, empty account.</p>
      </Card>
      {isConfirmed(context, user) ? (
        <Card tone="danger" title="Delete it">
          <CsrfForm action="/account/delete/confirm" className="grid gap-4">
            <Field
              name="confirm_name"
              label={
                <>
                  Type <strong className="font-semibold select-all">{player.name}</strong> to confirm
                </>
              }
              error={wrongName ? "That is not the name. Type it exactly as it stands here." : undefined}
            >
              {(control) => <Input {...control} autoComplete="off" maxLength={200} autoFocus={wrongName} />}
            </Field>
            <div className="flex flex-wrap gap-3">
              <Button type="submit" variant="danger">
                Delete my account
              </Button>
              <LinkButton href="/account">Keep it</LinkButton>
            </div>
          </CsrfForm>
        </Card>
      ) : (
        <Alert
          tone="warn"
          title="Confirm it's you to continue"
          actions={
            <LinkButton href={confirmPath({ next: "/account/delete" })} document size="sm">
              Confirm it's you
            </LinkButton>
          }
        >
          You come back to this page.
        </Alert>
      )}
    </div>
  );
}
