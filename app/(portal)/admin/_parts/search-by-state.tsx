import type { ComponentProps } from "react";
import { Field } from "#app/_ui/field.tsx";
import { Input } from "#app/_ui/input.tsx";
import { Select } from "#app/_ui/select.tsx";
import { SearchForm } from "./search-form";

type Props = {
  /** The page that shows what is found: this one. */
  action: string;
  /** What may be searched for. */
  label: string;
  states: ComponentProps<typeof Select>["options"];
  /** What is searched for now. */
  search: string | undefined;
  state: string;
};

/** The search of a list whose rows are in some state. */
export function SearchByState({ action, label, states, search, state }: Props) {
  return (
    <SearchForm action={action}>
      <Field name="search" label={label} required={false} className="flex-1 basis-64">
        {(control) => <Input {...control} type="search" defaultValue={search} maxLength={100} />}
      </Field>
      <Field name="state" label="State" className="max-sm:w-full">
        {(control) => <Select {...control} options={states} defaultValue={state} />}
      </Field>
    </SearchForm>
  );
}
