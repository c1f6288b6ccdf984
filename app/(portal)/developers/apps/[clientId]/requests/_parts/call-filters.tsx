import { Button } from "#app/_ui/button.tsx";
import { Input, Select } from "#app/_ui/controls.tsx";
import { Field } from "#app/_ui/field.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import { apiPrefix } from "#server/machine-path";
import { type CallOutcome, type CallRange, unmatchedRoute } from "#server/oauth/clients/calls/logged-call";
import { mounted } from "#server/rest/router";
import { routes } from "#server/routes";
import type { readCallQuery } from "./call-query";

const outcomes: Readonly<Record<CallOutcome, string>> = {
  all: "All",
  good: "Succeeded",
  failed: "Failed",
  "400": "400 Bad request",
  "401": "401 Token refused",
  "403": "403 Not allowed",
  "404": "404 Not found",
  "409": "409 Conflict",
  "422": "422 Balance",
  limited: "429 Rate limited",
  "5xx": "5xx Server errors",
};

const ranges: Readonly<Record<CallRange, string>> = {
  "1h": "1 hour",
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
};

const optionsOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

const endpoints = [
  { value: "", label: "All" },
  ...mounted(routes).map(({ path, endpoint: { method } }) => ({
    value: `${method} ${apiPrefix}${path}`,
    label: `${method} ${path}`,
  })),
  { value: unmatchedRoute, label: "No such endpoint" },
];

type Props = {
  page: string;
  fields: ReturnType<typeof readCallQuery>["fields"];
  isFiltered: boolean;
  unknownPlayer: boolean;
};

/** Which calls are listed. Its fields stand in the address, so that a view can be kept and sent to somebody. */
export function CallFilters({ page, fields, isFiltered, unknownPlayer }: Props) {
  return (
    <form method="get" action={page} className="border-b border-line px-4 py-4 sm:px-5">
      <div className="grid grid-cols-2 items-start gap-x-4 gap-y-3 *:min-w-0 sm:grid-cols-3">
        <Field name="outcome" label="Status">
          {(control) => <Select {...control} required={false} defaultValue={fields.outcome} options={outcomeOptions} />}
        </Field>
        <Field name="endpoint" label="Endpoint">
          {(control) => <Select {...control} required={false} defaultValue={fields.endpoint} options={endpoints} />}
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
          {(control) => <Select {...control} required={false} defaultValue={fields.range} options={rangeOptions} />}
        </Field>
        <Field name="until" label="Until (UTC)" className="max-sm:col-span-2">
          {(control) => <Input {...control} required={false} type="datetime-local" defaultValue={fields.until} />}
        </Field>
        <div className="flex gap-2 sm:mt-7">
          <Button type="submit">Filter</Button>
          {isFiltered && <LinkButton href={page}>Clear</LinkButton>}
        </div>
      </div>
    </form>
  );
}

const outcomeOptions = optionsOf(outcomes);
const rangeOptions = optionsOf(ranges);
