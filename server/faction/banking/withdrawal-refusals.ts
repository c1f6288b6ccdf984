import { type Failure, InsufficientVaultBalance, UnknownElement } from "#server/failures";
import { amountInWords } from "./amount-in-words";
import type { Holdings } from "./fits";
import type { Currency } from "./vault-request";

/** The request would be over when it is made. */
export const endsBefore = (): Failure =>
  UnknownElement.because({
    message: "The request would end before it is made.",
    details: { errors: [{ field: "timeout", message: "must lie in the future" }] },
  });

/** The balance does not cover it; the member is told what there is, and what of it is spoken for. */
export function short({ balance, spokenFor }: Holdings, currency: Currency): Failure {
  const has = `Your balance in the vault is ${amountInWords(balance, currency)}`;
  const asked = spokenFor === 0 ? "" : `, of which ${amountInWords(spokenFor, currency)} is asked for already`;
  return InsufficientVaultBalance.because({ message: `${has}${asked}.`, details: { balance, pending: spokenFor } });
}
