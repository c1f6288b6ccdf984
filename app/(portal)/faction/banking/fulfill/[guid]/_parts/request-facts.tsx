import { amountInWords } from "#server/faction/banking/amount-in-words";
import type { RequestView } from "#server/faction/banking/request-view";
import { KeyValueList } from "#ui/key-value-list";
import { Time } from "#ui/time";

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
          value: <strong className="tabular text-xl font-semibold">{amountInWords(amount, currency)}</strong>,
          copy: String(amount),
        },
        { label: "Asked", value: <Time at={requestedAt} /> },
        { label: "Ends", value: expiresAt ? <Time at={expiresAt} /> : "Never by itself" },
      ]}
    />
  );
}
