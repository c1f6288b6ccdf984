import { redirect } from "next/navigation";
import { Suspense } from "react";
import { caller } from "#app/_lib/caller";
import { readUtc } from "#app/_lib/search-params";
import { ActButton } from "#app/_parts/csrf-form.tsx";
import { filterFieldProps, ListFooter } from "#app/_parts/list-controls.tsx";
import { RefreshSoon } from "#app/_parts/page-refresh.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { InputField, SelectField } from "#app/_ui/field.tsx";
import { Skeleton } from "#app/_ui/progress.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { apiPrefix } from "#server/machine-path";
import {
  type CallOutcome,
  callOutcomes,
  unmatchedRoute,
} from "#server/oauth/clients/calls/call-filter";
import { trafficRanges } from "#server/oauth/clients/traffic/traffic";
import { openApiPath } from "#server/rest/path";
import { expandAliases } from "#server/rest/router";
import { routes } from "#server/routes";
import { CallsTable } from "../../_parts/call-tables";
import { rangeWords, TrafficPlot } from "../../_parts/traffic";

type Props = {
  clientId: string;
  sent: SentQuery;
  open?: string;
};

export async function RequestLog({ clientId, sent, open }: Props) {
  const page = `/developers/apps/${clientId}/requests`;
  const { filter, query, isFiltered, isLive, fields, requestId } = readCallQuery(sent);
  const { applications } = await caller();
  if (requestId && (await applications.loggedCall({ clientId, requestId })))
    redirect(`${page}/${requestId}`);
  const { rows, next, unknownPlayer } = await applications.calls({ clientId, ...filter });
  const live = `${query}${query === "" ? "?" : "&"}live=on`;
  return (
    <Card
      title="Requests"
      description="Every API call with a token of this application, newest first. Calls with a dead token are listed for one day."
      flush
      actions={
        <>
          <span className="needs-script">
            <LinkButton href={`${page}${isLive ? query : live}`} size="sm">
              {isLive ? "Stop live" : "Live"}
            </LinkButton>
          </span>
          <ActButton action={`${page}/export`} fields={fields}>
            CSV
          </ActButton>
        </>
      }
      footer={
        <ListFooter address={`${page}${query}`} after={filter.after ?? undefined} next={next}>
          Kept for 30 days. A file has the newest 5,000.
        </ListFooter>
      }
    >
      {isLive && <RefreshSoon />}
      <CallFilters
        page={page}
        fields={fields}
        isFiltered={isFiltered}
        unknownPlayer={unknownPlayer}
        unknownRequest={requestId}
      />
      <Suspense fallback={<Skeleton className="h-56 w-full" />}>
        <Histogram clientId={clientId} {...filter} />
      </Suspense>
      <CallsTable
        calls={rows}
        page={page}
        query={isLive ? live : query}
        open={open}
        filtered={isFiltered}
      />
    </Card>
  );
}

/** Ignores the filter, which would hide the calls around the failures. */
async function Histogram({
  clientId,
  range,
  until,
}: Pick<CallQuery["filter"], "range" | "until"> & { clientId: string }) {
  const { total, steps } = await (await caller()).applications.traffic({ clientId, range, until });
  if (total.calls === 0) return null;
  return (
    <div className="border-b border-line px-4 py-4 sm:px-5">
      <TrafficPlot
        title={`All calls, ${rangeWords[range]}`}
        steps={steps}
        running={until === null}
      />
    </div>
  );
}

// An array, because an object would list its integer keys first.
const outcomeOptions: readonly { value: CallOutcome; label: string }[] = [
  { value: "all", label: "All" },
  { value: "good", label: "Succeeded" },
  { value: "failed", label: "Failed" },
  { value: "400", label: "400 Bad request" },
  { value: "401", label: "401 Token refused" },
  { value: "403", label: "403 Not allowed" },
  { value: "404", label: "404 Not found" },
  { value: "409", label: "409 Conflict" },
  { value: "422", label: "422 Balance too low" },
  { value: "limited", label: "429 Rate limited" },
  { value: "5xx", label: "5xx Server errors" },
];

const rangeOptions = Object.entries(rangeWords).map(([value, label]) => ({ value, label }));

const endpointOptions = [
  { value: "", label: "All" },
  ...expandAliases(routes).map(({ path, endpoint: { method } }) => ({
    value: `${method} ${apiPrefix}${path}`,
    label: `${method} ${openApiPath(path)}`,
  })),
  { value: unmatchedRoute, label: "No such endpoint" },
];

type CallFiltersProps = {
  page: string;
  fields: CallFields;
  isFiltered: boolean;
  unknownPlayer: boolean;
  unknownRequest: string;
};

/** The filters are in the address, so that a view can be shared. */
function CallFilters({
  page,
  fields,
  isFiltered,
  unknownPlayer,
  unknownRequest,
}: CallFiltersProps) {
  return (
    <form method="get" action={page} className="border-b border-line px-4 py-4 sm:px-5">
      <div className="grid grid-cols-2 items-start gap-x-4 gap-y-3 *:min-w-0 sm:grid-cols-3">
        <SelectField
          {...filterFieldProps}
          name="outcome"
          label="Status"
          defaultValue={fields.outcome}
          options={outcomeOptions}
        />
        <SelectField
          {...filterFieldProps}
          name="endpoint"
          label="Endpoint"
          defaultValue={fields.endpoint}
          options={endpointOptions}
        />
        <InputField
          {...filterFieldProps}
          name="player"
          label="Player"
          error={unknownPlayer ? "No player of that name or ID uses this application." : undefined}
          defaultValue={fields.player}
          maxLength={60}
          placeholder="Name or ID"
          autoComplete="off"
        />
        <SelectField
          {...filterFieldProps}
          name="range"
          label="Period"
          defaultValue={fields.range}
          options={rangeOptions}
        />
        <InputField
          {...filterFieldProps}
          name="id"
          label="Request ID"
          className="max-sm:col-span-2"
          error={unknownRequest && "No call of the last 30 days has this ID."}
          code
          defaultValue={unknownRequest}
          maxLength={60}
          autoComplete="off"
        />
        <InputField
          {...filterFieldProps}
          name="until"
          label="Until (UTC)"
          className="max-sm:col-span-2"
          type="datetime-local"
          defaultValue={fields.until}
        />
        <div className="flex gap-2 sm:col-span-3">
          <Button type="submit">Filter</Button>
          {isFiltered && <LinkButton href={page}>Clear</LinkButton>}
        </div>
      </div>
    </form>
  );
}

export const callQueryFields = ["outcome", "endpoint", "player", "range", "until"] as const;
type CallFields = Readonly<Record<(typeof callQueryFields)[number], string>>;

const longestField = 100;
const defaults: Partial<CallFields> = { outcome: "all", range: "30d" };

type SentQuery = Readonly<Record<string, string | string[] | undefined>>;
type CallQuery = ReturnType<typeof readCallQuery>;

/** Unknown values count as absent. */
export function readCallQuery(sent: SentQuery) {
  const read = (name: string) => {
    const value = sent[name];
    return typeof value === "string" ? value.trim().slice(0, longestField) : "";
  };
  const outcome = callOutcomes.find((known) => known === read("outcome")) ?? "all";
  const range = trafficRanges.find((known) => known === read("range")) ?? "30d";
  const until = readUtc(read("until"));
  const [endpoint, player] = [read("endpoint"), read("player")];
  const fields: CallFields = {
    outcome,
    endpoint,
    player,
    range,
    until: until ? read("until") : "",
  };
  const chosen = callQueryFields.filter(
    (name) => fields[name] !== "" && fields[name] !== defaults[name],
  );
  const query = new URLSearchParams(chosen.map((name) => [name, fields[name]]));
  return {
    filter: {
      outcome,
      range,
      until,
      endpoint: endpoint || null,
      player: player || null,
      after: read("after") || null,
    },
    fields,
    /** "" or "?…": the filter, without the cursor. */
    query: chosen.length === 0 ? "" : `?${query}`,
    /** True if the open list refreshes itself. */
    isLive: read("live") === "on" && !read("after"),
    isFiltered: chosen.length > 0,
    /** The request with this id opens at once, even if the filter excludes it. */
    requestId: read("id"),
  };
}
