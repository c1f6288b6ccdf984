import { readAmount } from "#server/faction/banking/amount";
import { currencies } from "#server/faction/banking/vault-request";
import { usualWaitingTime, waitingTimes } from "#server/faction/banking/waiting-times";
import { failureBehind } from "#server/trpc/refusal";
import { answerForm } from "./answer-form";

const page = "/faction/banking";
/** Longer than any amount; what is longer is not brought back to the form. */
const longestAmount = 40;

/** The form that asks for a payment: `amount`, `currency`, `waits`. It leads back to the vault's page, refused or not. */
export const postVaultRequest = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: { next: page },
    act: async ({ field, caller }) => {
      const typed = (field("amount") ?? "").trim();
      const currency = currencies.find((known) => known === field("currency")) ?? "money_balance";
      const waits = waitingTimes.find(({ value }) => value === field("waits"))?.value ?? usualWaitingTime;
      const back = (error: string | number) => {
        const amount = typed.length <= longestAmount ? typed : "";
        return `${page}?${new URLSearchParams({ error: String(error), amount, currency, waits })}`;
      };
      if (readAmount(typed) === undefined) return back("amount");
      try {
        const { id } = await caller.banking.request({ amount: typed, currency, waits });
        return `${page}?done=requested&request=${id}`;
      } catch (thrown) {
        const failure = failureBehind(thrown);
        if (!failure || !told.includes(failure.kind.code)) throw thrown;
        return back(failure.details?.reason === "key_budget" ? "key_budget" : failure.kind.code);
      }
    },
  });

/** Codes of failures that the page has words for. */
const told: readonly number[] = [1001, 1102, 1201, 1602, 1603, 4000, 4021, 4100, 4101];
