import { Button } from "#app/_ui/button.tsx";
import { Field, Input, Select } from "#app/_ui/field.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { apiPrefix } from "#server/machine-path";
import {
  type CallOutcome,
  type CallRange,
  callOutcomes,
  callRanges,
  unmatchedRoute,
} from "#server/oauth/clients/calls/log-entries";
import { braced } from "#server/rest/path";
import { mounted } from "#server/rest/router";
import { routes } from "#server/routes";

// Two objects, because an object orders its integer keys first.
const outcomeOptions = [
  ...optionsOf<Extract<CallOutcome, "all" | "good" | "failed">>({
    all: "All",
    good: "Succeeded",
    failed: "Failed",
  }),
  ...optionsOf<Exclude<CallOutcome, "all" | "good" | "failed">>({
    "400": "400 Bad request",
    "401": "401 Token refused",
    "403": "403 Not allowed",
    "404": "404 Not found",
    "409": "409 Conflict",
    "422": "422 Balance too low",
    limited: "429 Rate limited",
    "5xx": "5xx Server errors",
  }),
];

const rangeOptions = optionsOf<CallRange>({
  "1h": "1 hour",
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
});

const endpointOptions = [
  { value: "", label: "All" },
  ...mounted(routes).map(({ path, endpoint: { method } }) => ({
    value: `${method} ${apiPrefix}${path}`,
    label: `${method} ${braced(path)}`,
  })),
  { value: unmatchedRoute, label: "No such endpoint" },
];

type Props = {
  page: string;
  fields: Fields;
  isFiltered: boolean;
  unknownPlayer: boolean;
};

/** In the address, so that a view can be shared. */
export function CallFilters({ page, fields, isFiltered, unknownPlayer }: Props) {
  return (
    <form method="get" action={page} className="border-b border-line px-4 py-4 sm:px-5">
      <div className="grid grid-cols-2 items-start gap-x-4 gap-y-3 *:min-w-0 sm:grid-cols-3">
        <Field name="outcome" label="Status">
          {(control) => (
            <Select
              {...control}
              required={false}
              defaultValue={fields.outcome}
              options={outcomeOptions}
            />
          )}
        </Field>
        <Field name="endpoint" label="Endpoint">
          {(control) => (
            <Select
              {...control}
              required={false}
              defaultValue={fields.endpoint}
              options={endpointOptions}
            />
          )}
        </Field>
        <Field
          name="player"
          label="Player"
          error={unknownPlayer ? "No player of that name or ID uses this application." : undefined}
        >
          {(control) => (
            <Input
              {...control}
              required={false}
              defaultValue={fields.player}
              maxLength={60}
              placeholder="Name or ID"
              autoComplete="off"
            />
          )}
        </Field>
        <Field name="range" label="Period">
          {(control) => (
            <Select
              {...control}
              required={false}
              defaultValue={fields.range}
              options={rangeOptions}
            />
          )}
        </Field>
        <Field name="until" label="Until (UTC)" className="max-sm:col-span-2">
          {(control) => (
            <Input
              {...control}
              required={false}
              type="datetime-local"
              defaultValue={fields.until}
            />
          )}
        </Field>
        <div className="flex gap-2 sm:mt-7">
          <Button type="submit">Filter</Button>
          {isFiltered && <LinkButton href={page}>Clear</LinkButton>}
        </div>
      </div>
    </form>
  );
}

function optionsOf<Value extends string>(words: Readonly<Record<Value, string>>) {
  return Object.entries<string>(words).map(([value, label]) => ({ value, label }));
}

const callFields = ["outcome", "endpoint", "player", "range", "until"] as const;
type Fields = Readonly<Record<(typeof callFields)[number], string>>;

const longestField = 100;
const defaults: Partial<Fields> = { outcome: "all", range: "30d" };

interface CallQuery {
  readonly filter: {
    readonly outcome: CallOutcome;
    readonly endpoint: string | null;
    readonly player: string | null;
    readonly range: CallRange;
    readonly until: Date | null;
    readonly after: string | null;
  };
  readonly fields: Fields;
  /** The filtered page at its newest call. */
  readonly address: string;
  readonly isFiltered: boolean;
}

/** Unknown values count as absent. */
export function readCallQuery(
  page: string,
  sent: Readonly<Record<string, string | string[] | undefined>>,
): CallQuery {
  const read = (name: string) => {
    const value = sent[name];
    return typeof value === "string" ? value.trim().slice(0, longestField) : "";
  };
  const outcome = callOutcomes.find((known) => known === read("outcome")) ?? "all";
  const range = callRanges.find((known) => known === read("range")) ?? "30d";
  const until = readUtc(read("until"));
  const [endpoint, player] = [read("endpoint"), read("player")];
  const fields: Fields = { outcome, endpoint, player, range, until: until ? read("until") : "" };
  const chosen = callFields.filter(
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
    address: chosen.length === 0 ? page : `${page}?${query}`,
    isFiltered: chosen.length > 0,
  };
}

/** A form's local time, read as UTC, to the end of its minute. */
function readUtc(text: string): Date | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return null;
  const at = new Date(`${text}:59.999Z`);
  return Number.isNaN(at.getTime()) ? null : at;
}
