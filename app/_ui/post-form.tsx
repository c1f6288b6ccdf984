"use client";

import type { ReactNode } from "react";

type Fields = Readonly<Record<string, string | undefined>>;

/** Fields that a form carries along; those without a value are left out. */
export function HiddenFields({ fields }: { fields: Fields }) {
  return Object.entries(fields).map(([name, value]) =>
    value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
  );
}

type PostFormProps = {
  /** A form target of ours. */
  action: string;
  fields: Fields;
  className?: string | undefined;
  children: ReactNode;
};

/** A plain form that needs no script. */
export function PostForm({ action, fields, className, children }: PostFormProps) {
  return (
    <form method="post" action={action} className={className}>
      <HiddenFields fields={fields} />
      {children}
    </form>
  );
}
