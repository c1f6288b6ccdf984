import type { ReactNode } from "react";
import { csrfToken } from "#app/_lib/caller";
import { csrfField } from "#app/_lib/csrf";

type HiddenFieldsProps = { fields: Readonly<Record<string, string | undefined>> };

/** Fields that a form carries along; those without a value are left out. */
export function HiddenFields({ fields }: HiddenFieldsProps) {
  return Object.entries(fields).map(([name, value]) =>
    value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
  );
}

type CsrfFormProps = {
  /** A form target of ours. */
  action: string;
  fields?: Readonly<Record<string, string | undefined>>;
  className?: string;
  children: ReactNode;
};

/** A plain form that acts in the session: it carries the session's token, and needs no script. */
export async function CsrfForm({ action, fields = {}, className, children }: CsrfFormProps) {
  return (
    <form method="post" action={action} className={className}>
      <HiddenFields fields={{ ...fields, [csrfField]: await csrfToken() }} />
      {children}
    </form>
  );
}
