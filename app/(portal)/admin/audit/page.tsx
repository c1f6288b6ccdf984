import { caller } from "#app/_lib/caller";
import { adminTitle, requireAdmin } from "#app/_lib/current-user";
import { formatNumber } from "#app/_lib/format";
import { readParams, type SearchParams } from "#app/_lib/search-params";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Field, Input, Select } from "#app/_ui/field.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { pathWith } from "#app/_ui/path-with";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { exportDays, mostExported } from "#server/admin/contract";
import { auditedActs, isAuditedAct, wordsOfAct } from "#server/audit/audit";
import { EventsTable } from "../_parts/events-table";
import { SearchForm } from "../_parts/searched-list";

export const generateMetadata = () => adminTitle("Audit log");

const acts = [
  { value: "", label: "Any event" },
  ...auditedActs
    .map((value) => ({ value, label: wordsOfAct(value) }))
    .sort((one, other) => one.label.localeCompare(other.label)),
];
const action = "/admin/audit";
const periods = exportDays.map((days) => ({
  value: String(days),
  label: days === 1 ? "The last 24 hours" : `The last ${days} days`,
}));

export default async function AuditLog({ searchParams }: { searchParams: SearchParams }) {
  await requireAdmin();
  const asked = ["act", "account", "client", "before"] as const;
  const { act, account, client, before } = await readParams(searchParams, asked);
  const requested = {
    act: act && isAuditedAct(act) ? act : undefined,
    account: account?.slice(0, 100),
    clientId: client?.slice(0, 100),
    before: before && /^\d{1,18}$/.test(before) ? before : undefined,
  };
  const { events, next } = await (await caller()).operations.audit(requested);
  const older = { act: requested.act, account: requested.account, client: requested.clientId };
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Audit log"
        lead="Security events, newest first. Entries are never changed and are kept for 90 days."
      />
      <SearchForm action={action}>
        <Field name="act" label="Event" className="basis-56 max-sm:grow">
          {(control) => (
            <Select
              {...control}
              required={false}
              options={acts}
              defaultValue={requested.act ?? ""}
            />
          )}
        </Field>
        <Field name="account" label="Player ID or account ID" className="flex-1 basis-48">
          {(control) => (
            <Input
              {...control}
              required={false}
              code
              defaultValue={requested.account}
              maxLength={100}
            />
          )}
        </Field>
        <Field name="client" label="Client ID" className="flex-1 basis-48">
          {(control) => (
            <Input
              {...control}
              required={false}
              code
              defaultValue={requested.clientId}
              maxLength={100}
            />
          )}
        </Field>
      </SearchForm>
      <Card flush>
        <EventsTable events={events} />
      </Card>
      {next && (
        <div>
          <LinkButton href={pathWith(action, { ...older, before: next })}>Older</LinkButton>
        </div>
      )}
      <Card
        title="Save as a file"
        description={`One JSON object a line, oldest first, at most ${formatNumber(mostExported)} of the events that fit the search. The command "npm run admin -- audit" has no limit.`}
      >
        <CsrfForm
          action={`${action}/export`}
          fields={{ act: requested.act, account: requested.account, clientId: requested.clientId }}
          className="flex flex-wrap items-end gap-3"
        >
          <Field name="days" label="Period" className="max-sm:w-full">
            {(control) => (
              <Select {...control} options={periods} defaultValue={String(exportDays[1])} />
            )}
          </Field>
          <Button type="submit" className="max-sm:w-full">
            Save
          </Button>
        </CsrfForm>
      </Card>
    </div>
  );
}
