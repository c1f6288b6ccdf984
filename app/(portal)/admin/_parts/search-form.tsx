import type { ReactNode } from "react";
import { Button } from "#app/_ui/button.tsx";

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
