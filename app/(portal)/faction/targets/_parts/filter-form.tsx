import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Checkbox } from "#app/_ui/checkbox.tsx";
import { InputField, SelectField } from "#app/_ui/field.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { ChainListRequest } from "#server/stats/contract";

const orders = [
  { value: "random", label: "Random" },
  { value: "highest-respect", label: "Most respect first" },
  { value: "recently-updated", label: "Newest score first" },
];

const numberFields = [
  {
    name: "minimum_difficulty",
    label: "Fair fight from",
    unset: "1",
    step: "0.01",
    least: 1,
    most: undefined,
  },
  {
    name: "maximum_difficulty",
    label: "Fair fight to",
    unset: "3",
    step: "0.01",
    least: 1,
    most: undefined,
  },
  { name: "minimum_level", label: "Level from", unset: "1", step: "1", least: 1, most: 100 },
  { name: "maximum_level", label: "Level to", unset: "100", step: "1", least: 1, most: 100 },
  { name: "limit", label: "At most", unset: "25", step: "1", least: 1, most: 250 },
] as const;

/** A GET form, so that results have an address. */
export function TargetFilterForm({
  typed,
  wrong,
}: {
  typed: RawTargetFilter;
  wrong: readonly string[];
}) {
  return (
    <Card title="Filters" description="The address keeps them: bookmark a list that you use often.">
      <form method="get" action="/faction/targets" className="grid gap-4">
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-6">
          {numberFields.map(({ name, label, unset, step, least, most }) => (
            <InputField
              key={name}
              name={name}
              label={label}
              error={
                wrong.includes(name) &&
                (most ? `${least} to ${most}` : "At least 1, and not less than “from”")
              }
              type="number"
              inputMode="decimal"
              step={step}
              min={least}
              max={most}
              defaultValue={typed[name] ?? unset}
            />
          ))}
          <SelectField
            name="sort_order"
            label="Order"
            options={orders}
            defaultValue={typed.sort_order ?? "random"}
          />
        </div>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          <Checkbox
            name="is_factionless"
            value="true"
            label="Without a faction"
            defaultChecked={typed.is_factionless === "true"}
          />
          <Checkbox
            name="is_inactive"
            value="true"
            label="Inactive for 30 days"
            defaultChecked={typed.is_inactive === "true"}
          />
          <Button type="submit" variant="primary">
            Find targets
          </Button>
          {Object.values(typed).some(Boolean) && (
            <TextLink href="/faction/targets" className="text-sm">
              Reset
            </TextLink>
          )}
        </div>
      </form>
    </Card>
  );
}

const numberNames = numberFields.map(({ name }) => name);
const flagNames = ["is_factionless", "is_inactive"] as const;

export type RawTargetFilter = Readonly<
  Partial<Record<(typeof numberNames)[number] | (typeof flagNames)[number] | "sort_order", string>>
>;
export const targetFilterFields = [...numberNames, ...flagNames, "sort_order"] as const;

/**
 * Parses the address with the schema of the API's body.
 * @returns the filter, or the names of the invalid fields
 */
export function readTargetFilter(typed: RawTargetFilter) {
  const asked = ChainListRequest.safeParse({
    ...Object.fromEntries(
      numberNames.flatMap((name) =>
        typed[name] === undefined ? [] : [[name, Number(typed[name])]],
      ),
    ),
    ...Object.fromEntries(flagNames.map((name) => [name, typed[name] === "true"])),
    ...(typed.sort_order === undefined ? {} : { sort_order: typed.sort_order }),
  });
  return asked.success
    ? { filter: asked.data }
    : { wrong: [...new Set(asked.error.issues.map(({ path }) => String(path[0])))] };
}
