import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { caller, csrfToken, portalContext } from "#app/_lib/caller";
import { csrfField } from "#app/_lib/csrf";
import { pageAddress, requireUser } from "#app/_lib/current-user";
import type { PageProps, SearchParams } from "#app/_lib/search-params";
import { confirmPath } from "#app/_lib/sign-in-path";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { ClientProviders } from "#app/_parts/interactive.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { HiddenFields } from "#app/_ui/post-form.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { isConfirmed } from "#server/auth/confirmation";
import { ApplicationInput } from "#server/oauth/clients/contract";
import { fieldErrors } from "#server/trpc/refusal";
import {
  fieldFaultsOf,
  prefillFields,
  readApplicationForm,
} from "../../_parts/application-form-values";
import { NewApplicationForm } from "../../_parts/new-application";

export const metadata: Metadata = { title: "Register an application" };

export default async function RegisterApplication({ searchParams }: PageProps) {
  const user = await requireUser();
  const { context } = await portalContext();
  const { most, left } = await (await caller()).applications.room();
  if (left === 0) return <NoRoom most={most} />;
  // Asks for the confirmation first, so that it does not interrupt a filled-in form.
  if (!isConfirmed(context, user)) redirect(confirmPath({ next: await pageAddress() }));
  const { error, ...sent } = await searchParams;
  const typed = startOf(sent);
  const wrong =
    error === "fields" ? fieldErrors(ApplicationInput.safeParse(typed).error) : undefined;
  return (
    <>
      <Header lead="Pick a type and a name to get your credentials. You can fill in the rest later." />
      <FormNotice
        searchParams={searchParams}
        done={{}}
        wrong={{ fields: "Some fields are not right yet." }}
      />
      <ClientProviders>
        <NewApplicationForm
          baseUrl={context.settings.baseUrl}
          playerId={user.playerId}
          initial={typed}
          faults={fieldFaultsOf(wrong ?? [])}
        >
          <HiddenFields fields={{ [csrfField]: await csrfToken() }} />
        </NewApplicationForm>
      </ClientProviders>
    </>
  );
}

/** A form sent without script is restored; a new form starts with the scope of a first call. */
function startOf(sent: Awaited<SearchParams>) {
  const fields = new URLSearchParams(
    Object.entries(sent).flatMap(([name, value = []]) =>
      [value].flat().map((text) => [name, text]),
    ),
  );
  if (!prefillFields.some((name) => fields.has(name))) fields.set("scopes", "identity");
  return readApplicationForm(fields);
}

const Header = ({ lead }: { lead: string }) => (
  <PageHeader title="Register an application" lead={lead} />
);

function NoRoom({ most }: { most: number }) {
  return (
    <>
      <Header lead="An application asks players for access and calls the API in their name." />
      <Alert
        tone="warn"
        title={`You have ${most} applications, the most a developer can have`}
        actions={
          <LinkButton href="/developers" size="sm">
            Applications
          </LinkButton>
        }
      >
        Delete one you don't need to register another.
      </Alert>
    </>
  );
}
