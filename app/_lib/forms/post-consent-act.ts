import { UnknownElement } from "#server/failures";
import { failureBehind } from "#server/trpc/refusal";
import { answerForm, type Form } from "./answer-form";
import { type ConsentActDone, consentPageAfter } from "./consent-page";

type Act = (form: Form, consentId: string) => Promise<ConsentActDone>;

const acts = {
  pause: async ({ caller }, consentId) => {
    await caller.consents.pause({ consentId });
    return "paused";
  },
  resume: async ({ caller }, consentId) => {
    await caller.consents.resume({ consentId });
    return "resumed";
  },
  /** `shown`: each permission that had a box; `scope`: each that is still ticked. */
  narrow: async ({ caller, fields }, consentId) => {
    await caller.consents.narrow({ consentId, shown: fields("shown"), keep: fields("scope") });
    return "narrowed";
  },
} satisfies Record<string, Act>;

/** A form on one application's access: `consent_id`, and `app` (its client id) where it was sent from that one's page. */
export const postConsentAct = (request: Request, act: keyof typeof acts): Promise<Response> =>
  answerForm(request, {
    token: true,
    signIn: { next: "/account/apps" },
    act: async (form) => {
      const done = await acts[act](form, form.field("consent_id") ?? "").catch(orGone);
      return consentPageAfter(form.field("app"), done);
    },
  });

/** Ended meanwhile, from another tab or device: the page says so. */
function orGone(thrown: unknown): ConsentActDone {
  if (failureBehind(thrown)?.kind.code !== UnknownElement.code) throw thrown;
  return "gone";
}
