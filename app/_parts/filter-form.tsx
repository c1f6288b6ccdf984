import type { ReactNode } from "react";
import { Button } from "#app/_ui/button.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";

type Props = {
  /** The page itself. */
  action: string;
  /** Offers a way back to the whole list. */
  isFiltered?: boolean;
  submit?: string;
  className?: string;
  children: ReactNode;
};

/** Props of a filter's fields: none is needed, and none says so. */
export const filterField = { required: false, note: "" } as const;

/** GET, so that a filtered list has an address. */
export const FilterForm = ({
  action,
  isFiltered,
  submit = "Filter",
  className,
  children,
}: Props) => (
  <search className={className}>
    <form method="get" action={action} className="flex flex-wrap items-end gap-3">
      {children}
      <Button type="submit">{submit}</Button>
      {isFiltered && (
        <TextLink href={action} className="py-2 text-sm">
          Show all
        </TextLink>
      )}
    </form>
  </search>
);
