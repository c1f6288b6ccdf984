import { formatCappedCount } from "#app/_lib/format";
import { readParams, type SearchParams } from "#app/_lib/search-params";
import { ConfirmButton } from "#app/_parts/confirm-button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { InputField } from "#app/_ui/field.tsx";
import { GeneralError } from "#server/failures";
import type { CappedCount } from "#server/platform/paging";
import type { Refusal } from "#server/trpc/refusal";

export const nameField = "confirm_name";

type Props = {
  title: string;
  description: string;
  players: CappedCount;
  tokens: CappedCount;
  label: string;
  consequences: readonly string[];
  action: string;
  /** The text to type as confirmation. */
  name: string;
  searchParams: SearchParams;
};

export async function ConfirmByNameCard({
  title,
  description,
  players,
  tokens,
  name,
  searchParams,
  ...asked
}: Props) {
  const { error, [nameField]: typed } = await readParams(searchParams, ["error", nameField]);
  return (
    <Card
      tone="danger"
      title={title}
      description={description}
      footer={
        <>
          <span>
            {formatCappedCount(players, "player")}, {formatCappedCount(tokens, "live token")}
          </span>
          <ConfirmButton {...asked} unfolded={error === "name"}>
            <InputField
              name={nameField}
              label={
                <>
                  Type <strong className="font-semibold select-all wrap-anywhere">{name}</strong> to
                  go on
                </>
              }
              code
              defaultValue={typed}
              autoComplete="off"
            />
          </ConfirmButton>
        </>
      }
    />
  );
}

export const wrongNameMessages = {
  name: "Nothing was done: type the application's name exactly as shown.",
};

export const nameErrorQuery = ({ code }: Refusal): string | undefined =>
  code === GeneralError.code ? "?error=name" : code === undefined ? undefined : `?error=${code}`;
