import { failureBehind } from "#server/trpc/refusal";
import { answerForm } from "./answer-form";

const page = "/faction/banking";

/** The form that cancels a request: `faction` and `request`, its number. Of one that is over, or not to be cancelled, the page says so. */
export const postCancelVaultRequest = (request: Request): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: { next: page },
    act: async ({ field, caller }) => {
      const named = { factionId: Number(field("faction")), request: field("request") ?? "" };
      try {
        await caller.banking.cancel(named);
        return `${page}?done=cancelled`;
      } catch (thrown) {
        const status = failureBehind(thrown)?.kind.status;
        if (status === undefined || !gone.includes(status)) throw thrown;
        return `${page}?error=gone`;
      }
    },
  });

/** Not theirs, of no faction of theirs, or over already: there is nothing to be cancelled. */
const gone: readonly number[] = [403, 404, 409];
