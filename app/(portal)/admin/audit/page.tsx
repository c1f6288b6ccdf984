import { adminCaller, adminMetadata } from "#app/_lib/current-user";
import { formatNumber } from "#app/_lib/format";
import { type PageProps, readLogPosition, readParams, readUtc } from "#app/_lib/search-params";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { FilterForm, filterFieldProps, ListFooter } from "#app/_parts/list-controls.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { InputField, SelectField } from "#app/_ui/field.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { pathWith } from "#app/_ui/path-with";
import { exportDayChoices, maxExportedEvents } from "#server/admin/contract";
import { auditedActs, isAuditedAct, wordsOfAct } from "#server/audit/audit";
import { EventsTable } from "../_parts/events-table";

export const generateMetadata = () => adminMetadata("Audit log");

const acts = [
  { value: "", label: "Any event" },
  ...auditedActs
    .map((value) => ({ value, label: wordsOfAct(value) }))
    .sort((one, other) => one.label.localeCompare(other.label)),
];
const action = "/admin/audit";
const periods = exportDayChoices.map((days) => ({
  value: String(days),
  label: days === 1 ? "The last 24 hours" : `The last ${days} days`,
}));

const asked = ["search", "act", "account", "client", "since", "until", "after"] as const;

export default async function AuditLog({ searchParams }: PageProps) {
  const { after, ...sent } = await readParams(searchParams, asked);
  const short = (text: string | undefined) => text?.trim().slice(0, 100) || undefined;
  const [search, account, clientId] = [sent.search, sent.account, sent.client].map(short);
  const act = sent.act && isAuditedAct(sent.act) ? sent.act : undefined;
  const since = readUtc(sent.since ?? "", "start") ?? undefined;
  const until = readUtc(sent.until ?? "") ?? undefined;
  const filter = {
    search,
    act,
    account,
    client: clientId,
    since: since && sent.since,
    until: until && sent.until,
  };
  const { events, next } = await (await adminCaller()).operations.audit({
    search,
    act,
    account,
    clientId,
    since,
    until,
    before: await readLogPosition(searchParams, "after"),
  });
  return (
    <>
      <PageHeader
        title="Audit log"
        lead="Security events, newest first. Entries are never changed and are kept for 90 days."
      />
      <Card
        flush
        footer={
          <ListFooter address={pathWith(action, filter)} after={after} next={next}>
            {events.length === 0 ? "No event" : "Newest first, times in UTC"}
          </ListFooter>
        }
      >
        <FilterForm
          action={action}
          isFiltered={Object.values(filter).some(Boolean)}
          className="block border-b border-line px-4 py-4 sm:px-5"
        >
          <InputField
            {...filterFieldProps}
            name="search"
            label="Search"
            className="basis-full"
            type="search"
            defaultValue={search}
            maxLength={100}
            placeholder="Words, a name, a request ID or an address"
          />
          <SelectField
            {...filterFieldProps}
            name="act"
            label="Event"
            className="grow basis-56"
            options={acts}
            defaultValue={act ?? ""}
          />
          <InputField
            {...filterFieldProps}
            name="account"
            label="Player ID or account ID"
            className="grow basis-56"
            code
            defaultValue={account}
            maxLength={100}
          />
          <InputField
            {...filterFieldProps}
            name="client"
            label="Client ID"
            className="grow basis-56"
            code
            defaultValue={clientId}
            maxLength={100}
          />
          <InputField
            {...filterFieldProps}
            name="since"
            label="From (UTC)"
            className="grow basis-56"
            type="datetime-local"
            defaultValue={filter.since}
          />
          <InputField
            {...filterFieldProps}
            name="until"
            label="Until (UTC)"
            className="grow basis-56"
            type="datetime-local"
            defaultValue={filter.until}
          />
        </FilterForm>
        <EventsTable events={events} />
      </Card>
      <Card
        title="Save as a file"
        description={`One JSON object a line, oldest first, at most ${formatNumber(maxExportedEvents)} of the events that fit the filter. The command "npm run admin -- audit" has no limit.`}
      >
        <CsrfForm
          action={`${action}/export`}
          fields={filter}
          className="flex flex-wrap items-end gap-3"
        >
          <SelectField
            name="days"
            label="Period"
            className="max-sm:w-full"
            options={periods}
            defaultValue={String(exportDayChoices[1])}
          />
          <Button type="submit" className="max-sm:w-full">
            Save
          </Button>
        </CsrfForm>
      </Card>
    </>
  );
}
