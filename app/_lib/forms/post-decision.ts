import { z } from "zod";
import { refusalReason } from "#server/trpc/refusal";
import { answerForm } from "./answer-form";

const Decision = z.enum(["approve", "deny"]);
const Until = z.enum(["day", "month", "revoked", "earlier"]).nullable();

/**
 * The consent form: `decision`; `until` for how long an approval lasts; `scope` for each optional permission that is still
 * ticked; and what the page showed as `allowed` before and as `optional`. Leads to the application. What can be approved
 * stands in the parked request alone: the form leaves out, and never adds.
 */
export const postDecision = (request: Request, requestId: string): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: { request: requestId },
    act: async ({ field, fields, caller }) => {
      const decision = Decision.safeParse(field("decision"));
      const until = Until.safeParse(field("until"));
      // Neither approved nor denied: the question is asked again.
      if (!decision.success || !until.success) return `/consent/${encodeURIComponent(requestId)}`;
      try {
        const shown = { allowed: fields("allowed"), optional: fields("optional") };
        const asked = { requestId, decision: decision.data, until: until.data ?? undefined };
        return (await caller.authorization.decide({ ...asked, ticked: fields("scope"), shown })).location;
      } catch (thrown) {
        // The consent page says what became of the request, and how to go on.
        if (!refusalReason(thrown)?.startsWith("REQUEST_")) throw thrown;
        return `/consent/${requestId}`;
      }
    },
  });
