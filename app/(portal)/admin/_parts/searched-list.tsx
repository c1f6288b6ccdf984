import type { ComponentProps } from "react";
import { readPageNumber, readParam, type SearchParams } from "#app/_lib/search-params";
import { FilterForm, filterFieldProps } from "#app/_parts/list-controls.tsx";
import { type DataTable, TableCard } from "#app/_ui/data-table.tsx";
import { InputField, SelectField } from "#app/_ui/field.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { pathWith } from "#app/_ui/path-with";
import { LinkButton } from "#app/_ui/text-link.tsx";

/** Option of the state filter. Its `value` appears in the address. */
type State<Value extends string> = { readonly value: Value; readonly label: string };

interface Asked<Value extends string> {
  readonly search: string | undefined;
  readonly state: Value;
  /** Counted from 1. */
  readonly page: number;
}

/** @param states the first is the default */
export async function readListQuery<Value extends string>(
  searchParams: SearchParams,
  states: readonly [State<Value>, ...State<Value>[]],
): Promise<Asked<Value>> {
  const asked = await readParam(searchParams, "state");
  return {
    search: (await readParam(searchParams, "search"))?.slice(0, 100),
    state: (states.find(({ value }) => value === asked) ?? states[0]).value,
    page: await readPageNumber(searchParams),
  };
}

type Props<Row> = Omit<ComponentProps<typeof DataTable<Row>>, "caption"> & {
  title: string;
  lead: string;
  /** Path of the page itself. */
  action: string;
  label: string;
  states: readonly State<string>[];
  asked: Asked<string>;
  more: boolean;
  /** Texts of the pager's links, if the list is not sorted by time. */
  ways?: { readonly before: string; readonly after: string } | undefined;
};

export function SearchedList<Row>({
  title,
  lead,
  action,
  label,
  states,
  asked,
  more,
  ways,
  ...table
}: Props<Row>) {
  const { search, state, page } = asked;
  return (
    <>
      <PageHeader title={title} lead={lead} />
      <FilterForm action={action} submit="Search">
        <InputField
          {...filterFieldProps}
          name="search"
          label={label}
          className="flex-1 basis-64"
          type="search"
          defaultValue={search}
          maxLength={100}
        />
        <SelectField
          name="state"
          label="State"
          className="max-sm:w-full"
          options={states}
          defaultValue={state}
        />
      </FilterForm>
      <TableCard caption={title} dense {...table} />
      <Pager action={action} query={{ search, state }} page={page} more={more} {...ways} />
    </>
  );
}

type PagerProps = {
  action: string;
  query: Readonly<Record<string, string | undefined>>;
  /** Counted from 1. */
  page: number;
  more: boolean;
  /** Texts of the two links. */
  before?: string;
  after?: string;
};

export function Pager({
  action,
  query,
  page,
  more,
  before = "Newer",
  after = "Older",
}: PagerProps) {
  if (page === 1 && !more) return null;
  const at = (number: number) => pathWith(action, { ...query, page: String(number) });
  return (
    <nav aria-label="Pages" className="flex items-center gap-3">
      {page > 1 && <LinkButton href={at(page - 1)}>{before}</LinkButton>}
      <span className="tabular text-sm text-ink-faint">Page {page}</span>
      {more && <LinkButton href={at(page + 1)}>{after}</LinkButton>}
    </nav>
  );
}
