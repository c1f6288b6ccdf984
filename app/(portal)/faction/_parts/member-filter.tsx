import { Button } from "#app/_ui/button.tsx";
import { Input, Select } from "#app/_ui/controls.tsx";
import { Field } from "#app/_ui/field.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { memberActivities, memberStates } from "#server/faction/board/show-members";
import { stateWords, type TypedFilter } from "./describe-member";

const activityWords = {
  now: "In the last 15 minutes",
  day: "In the last day",
  week: "In the last week",
  idle: "Not for a week",
} as const;

const any = { value: "", label: "Any" };
const states = [any, ...memberStates.map((value) => ({ value, label: stateWords[value] ?? value }))];
const activities = [any, ...memberActivities.map((value) => ({ value, label: activityWords[value] }))];

/** Narrows the list of members. Sent with GET, so that what is found has an address and needs no script. */
export function MemberFilter({ filter }: { filter: TypedFilter }) {
  return (
    <search className="block px-4 py-4 sm:px-5">
      <form method="get" action="/faction#members" className="flex flex-wrap items-end gap-3">
        <Field name="name" label="Name" className="grow basis-40">
          {(control) => <Input {...control} required={false} type="search" defaultValue={filter.name} maxLength={50} />}
        </Field>
        <Field name="state" label="Status" className="basis-32 max-sm:grow">
          {(control) => <Select {...control} required={false} options={states} defaultValue={filter.state ?? ""} />}
        </Field>
        <Field name="active" label="Active" className="basis-44 max-sm:grow">
          {(control) => (
            <Select {...control} required={false} options={activities} defaultValue={filter.active ?? ""} />
          )}
        </Field>
        <Button type="submit">Filter</Button>
        {Object.values(filter).some(Boolean) && (
          <TextLink href="/faction#members" className="py-2 text-sm">
            Show all
          </TextLink>
        )}
      </form>
    </search>
  );
}
