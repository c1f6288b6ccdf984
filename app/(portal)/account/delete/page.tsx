import { caller, portalContext } from "#app/_lib/caller";
import { currentViewer, requireUser } from "#app/_lib/current-user";
import { type PageProps, readParam } from "#app/_lib/search-params";
import { gameName } from "#app/_lib/settings";
import { confirmPath } from "#app/_lib/sign-in-path";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { InputField } from "#app/_ui/field.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { isConfirmed } from "#server/auth/confirmation";
import { describeDeletion } from "./_parts/describe-deletion";

export const metadata = { title: "Delete your account" };

export default async function DeleteAccount({ searchParams }: PageProps) {
  const user = await requireUser();
  const deletion = await (await caller()).account.deletion();
  const { context } = await portalContext();
  const viewer = await currentViewer();
  const wrongName = (await readParam(searchParams, "error")) === "name";
  return (
    <>
      <PageHeader
        title="Delete your account"
        lead="This cannot be undone."
        trail={[{ label: "Account", href: "/account" }]}
      />
      <Card title="What ends now">
        <ul className="grid list-disc gap-1.5 pl-5">
          {describeDeletion(deletion).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </Card>
      <Card title="What stays">
        <ul className="grid list-disc gap-1.5 pl-5 text-ink-soft">
          <li>
            What {gameName()} shows everyone, such as your name, level, faction and counters, as for
            players who never signed in.
          </li>
          <li>Your faction's records: closed vault requests, and delays of OCs.</li>
          <li>Scores of opponents from your fights, no longer linked to you.</li>
          <li>
            Log entries without your name: API calls for 30 days, security events for 90 to 97.
          </li>
          <li>Your API key in {gameName()}. Delete it there if nothing else uses it.</li>
        </ul>
        <p className="mt-3 text-ink-soft">
          If you sign in again, you start with a new, empty account.
        </p>
      </Card>
      {isConfirmed(context, user) ? (
        <Card tone="danger" title="Delete it">
          <CsrfForm action="/account/delete/confirm" className="grid gap-4">
            <InputField
              name="confirm_name"
              label={
                <>
                  Type <strong className="font-semibold select-all">{viewer?.name}</strong> to
                  confirm
                </>
              }
              error={wrongName ? "That name does not match. Type it exactly as shown." : undefined}
              autoComplete="off"
              maxLength={200}
              autoFocus={wrongName}
            />
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
            <LinkButton href={confirmPath({ next: "/account/delete" })} size="sm">
              Confirm it's you
            </LinkButton>
          }
        >
          You will return to this page.
        </Alert>
      )}
    </>
  );
}
