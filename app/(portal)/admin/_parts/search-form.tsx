import type { ComponentProps, ReactNode } from "react";
import { Button } from "#app/_ui/button.tsx";
import { Input, Select } from "#app/_ui/controls.tsx";
import { Field } from "#app/_ui/field.tsx";

type SearchFormProps = {
  /** The page that shows what is found: this one. */
  action: string;
  children: ReactNode;
};

/** Narrows a list. A plain form that is sent with GET, so that what is found has an address. */
export function SearchForm({ action, children }: SearchFormProps) {
  return (
    <search>
      <form method="get" action={action} className="flex flex-wrap items-end gap-3">
        {children}
        <Button type="submit" className="max-sm:w-full">
          Search
        </Button>
      </form>
    </search>
  );
}

type SearchByStateProps = {
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
export function SearchByState({ action, label, states, search, state }: SearchByStateProps) {
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
