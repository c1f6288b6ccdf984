import { VaultRequestNotPending } from "#server/failures";
import { failureBehind } from "#server/trpc/refusal";
import { answerForm } from "./answer-form";

/** The form of the fulfilment page. One that came too late leads back to the page, which says how the request stands. */
export const postFulfilment = (request: Request, guid: string): Promise<Response> => {
  const page = `/faction/banking/fulfill/${encodeURIComponent(guid)}`;
  return answerForm(request, {
    token: true,
    signIn: { next: page },
    act: async ({ caller }) => {
      try {
        await caller.banking.fulfil({ guid });
        return `${page}?done=fulfilled`;
      } catch (thrown) {
        if (failureBehind(thrown)?.kind.code !== VaultRequestNotPending.code) throw thrown;
        return `${page}?done=late`;
      }
    },
  });
};
