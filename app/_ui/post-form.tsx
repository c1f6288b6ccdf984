"use client";

import type { ReactNode } from "react";

type Fields = Readonly<Record<string, string | undefined>>;

export function HiddenFields({ fields }: { fields: Fields }) {
  return Object.entries(fields).map(([name, value]) =>
    value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
  );
}

type PostFormProps = {
  action: string;
  fields: Fields;
  className?: string | undefined;
  children: ReactNode;
};

export function PostForm({ action, fields, className, children }: PostFormProps) {
  return (
    <form method="post" action={action} className={className}>
      <HiddenFields fields={fields} />
      {children}
    </form>
  );
}
