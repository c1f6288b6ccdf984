import { z } from "zod";
import { refusalReason } from "#server/trpc/refusal";
import { answerForm } from "./answer-form";

const Decision = z.enum(["approve", "deny"]);
const Until = z.enum(["day", "month", "revoked"]).nullable();

/**
 * The consent form: `decision`, and `until` for how long an approval lasts. Leads to the application. What is approved stands
 * in the parked request alone; nothing else that the form carries is read.
 */
export const postDecision = (request: Request, requestId: string): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: { request: requestId },
    act: async ({ field, caller }) => {
      const decision = Decision.safeParse(field("decision"));
      const until = Until.safeParse(field("until"));
      // Neither approved nor denied: the question is asked again.
      if (!decision.success || !until.success) return `/consent/${encodeURIComponent(requestId)}`;
      try {
        const asked = { requestId, decision: decision.data, until: until.data ?? undefined };
        return (await caller.authorization.decide(asked)).location;
      } catch (thrown) {
        // The consent page says what became of the request, and how to go on.
        if (!refusalReason(thrown)?.startsWith("REQUEST_")) throw thrown;
        return `/consent/${requestId}`;
      }
    },
  });
