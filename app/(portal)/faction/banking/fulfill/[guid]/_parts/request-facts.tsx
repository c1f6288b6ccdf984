import { KeyValueList } from "#app/_ui/key-value-list.tsx";
import { Time } from "#app/_ui/time.tsx";
import { formatAmount } from "#server/faction/banking/amount";
import type { RequestView } from "#server/faction/banking/show-banking";

/** Who asks for how much, since when, until when. */
export function RequestFacts({ request }: { request: RequestView }) {
  const { amount, currency, requester, requestedAt, expiresAt } = request;
  return (
    <KeyValueList
      items={[
        {
          label: "Member",
          value: `${requester.name} [${requester.playerId}]`,
          copy: String(requester.playerId),
        },
        {
          label: "Amount",
          value: <strong className="tabular text-xl font-semibold">{formatAmount(amount, currency)}</strong>,
          copy: String(amount),
        },
        { label: "Asked", value: <Time at={requestedAt} /> },
        { label: "Ends", value: expiresAt ? <Time at={expiresAt} /> : "Never" },
      ]}
    />
  );
}
