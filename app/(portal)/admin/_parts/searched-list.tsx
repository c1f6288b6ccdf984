import type { ComponentProps } from "react";
import { readPage, readParam, type SearchParams } from "#app/_lib/search-params";
import { Card } from "#app/_ui/card.tsx";
import { Input, Select } from "#app/_ui/controls.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { Field } from "#app/_ui/field.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { Pager } from "./pager";
import { SearchForm } from "./search-form";

/** A state that rows may be in, as it stands in the address and in words. */
type State<Value extends string> = { readonly value: Value; readonly label: string };

/** What such a list is asked for, as the address says it. */
interface Asked<Value extends string> {
  readonly search: string | undefined;
  readonly state: Value;
  /** Counted from 1. */
  readonly page: number;
}

/** @param states the first is the one that an address without a state means */
export async function readAsked<Value extends string>(
  searchParams: SearchParams,
  states: readonly [State<Value>, ...State<Value>[]],
): Promise<Asked<Value>> {
  const asked = await readParam(searchParams, "state");
  return {
    search: (await readParam(searchParams, "search"))?.slice(0, 100),
    state: (states.find(({ value }) => value === asked) ?? states[0]).value,
    page: await readPage(searchParams),
  };
}

type Props<Row> = Omit<ComponentProps<typeof DataTable<Row>>, "caption"> & {
  title: string;
  lead: string;
  /** The page itself. */
  action: string;
  /** What may be searched for. */
  label: string;
  states: readonly State<string>[];
  asked: Asked<string>;
  more: boolean;
  /** What the ways to other pages are called where the list is not one of times. */
  ways?: { readonly before: string; readonly after: string } | undefined;
};

/** A list of the administration's that is searched by words and by the state of its rows. Needs no script. */
export function SearchedList<Row>({ title, lead, action, label, states, asked, more, ways, ...table }: Props<Row>) {
  const { search, state, page } = asked;
  return (
    <div className="grid gap-6">
      <PageHeader title={title} lead={lead} />
      <SearchForm action={action}>
        <Field name="search" label={label} required={false} className="flex-1 basis-64">
          {(control) => <Input {...control} type="search" defaultValue={search} maxLength={100} />}
        </Field>
        <Field name="state" label="State" className="max-sm:w-full">
          {(control) => <Select {...control} options={states} defaultValue={state} />}
        </Field>
      </SearchForm>
      <Card flush>
        <DataTable caption={title} {...table} />
      </Card>
      <Pager action={action} query={{ search, state }} page={page} more={more} {...ways} />
    </div>
  );
}
