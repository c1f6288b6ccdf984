import { formatCappedCount } from "#app/_lib/format";
import { Confirmation } from "#app/_parts/confirmation.tsx";
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
  /** Must be typed to confirm. */
  name: string;
};

export const CutByName = ({ title, description, players, tokens, name, ...asked }: Props) => (
  <Card
    tone="danger"
    title={title}
    description={description}
    footer={
      <>
        <span>
          {formatCappedCount(players, "player")}, {formatCappedCount(tokens, "live token")}
        </span>
        <Confirmation {...asked}>
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
        </Confirmation>
      </>
    }
  />
);

export const wrongName = {
  name: "Nothing was done: type the application's name exactly as shown.",
};

export const refusedName = ({ code }: Refusal): string | undefined =>
  code === GeneralError.code ? "?error=name" : code === undefined ? undefined : `?error=${code}`;
