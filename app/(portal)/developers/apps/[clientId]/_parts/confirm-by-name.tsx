import { formatCappedCount } from "#app/_lib/format";
import { ConfirmButton } from "#app/_parts/confirm-button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { InputField } from "#app/_ui/field.tsx";
import { GeneralError } from "#server/failures";
import type { CappedCount } from "#server/platform/paging";
import type { Refusal } from "#server/trpc/refusal";

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
};

export const ConfirmByNameCard = ({
  title,
  description,
  players,
  tokens,
  name,
  ...asked
}: Props) => (
  <Card
    tone="danger"
    title={title}
    description={description}
    footer={
      <>
        <span>
          {formatCappedCount(players, "player")}, {formatCappedCount(tokens, "live token")}
        </span>
        <ConfirmButton {...asked}>
          <InputField
            name="confirm_name"
            label={
              <>
                Type <strong className="font-semibold select-all wrap-anywhere">{name}</strong> to
                go on
              </>
            }
            code
            autoComplete="off"
          />
        </ConfirmButton>
      </>
    }
  />
);

export const wrongNameMessages = {
  name: "Nothing was done: type the application's name exactly as shown.",
};

export const nameErrorQuery = ({ code }: Refusal): string | undefined =>
  code === GeneralError.code ? "?error=name" : code === undefined ? undefined : `?error=${code}`;
