type HiddenFieldsProps = { fields: Readonly<Record<string, string | undefined>> };

/** Fields that a form carries along; those without a value are left out. */
export function HiddenFields({ fields }: HiddenFieldsProps) {
  return Object.entries(fields).map(([name, value]) =>
    value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
  );
}
