import { notFound, redirect } from "next/navigation";
import { caller, csrfToken } from "#app/_lib/caller";
import { csrfField } from "#app/_lib/csrf";
import { currentUser } from "#app/_lib/current-user";
import { reauthPathOf } from "#app/_lib/form-page";
import { signInPath } from "#app/_lib/sign-in-path";
import { BareFrame } from "#app/_parts/page-frames.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { refusalOf } from "#server/trpc/refusal";
import { ApplicationFacts, PrivacyCard } from "./_parts/application-facts";
import { AllowedScopesCard, AskedScopesCard, scopePreviews } from "./_parts/asked-scopes";
import { ConsentWarnings, DecisionForm } from "./_parts/decision-form";
import { isRequestState, RequestStateMessage } from "./_parts/request-state";

export const metadata = { title: "Approve or deny", robots: { index: false } };

/** Boxes outside of the form refer to it by this id. */
const formId = "decision";

export default async function Consent({ params }: { params: Promise<{ requestId: string }> }) {
  const { requestId } = await params;
  if (!(await currentUser())) redirect(signInPath({ request: requestId }));
  const portal = await caller();
  const shown = await portal.authorization.show({ requestId }).catch((thrown: unknown) => {
    const why = refusalOf(thrown);
    const way = reauthPathOf(why, `/consent/${requestId}`);
    if (way) redirect(way);
    const { reason = "", status } = why;
    if (isRequestState(reason)) return reason;
    // The id is not a UUID.
    if (status === 400) return "REQUEST_UNKNOWN";
    throw thrown;
  });
  if (shown === "REQUEST_UNKNOWN") notFound();
  if (typeof shown === "string") {
    const restart = await portal.authorization.restart({ requestId });
    return <RequestStateMessage state={shown} requestId={requestId} restart={restart} />;
  }

  const ofFaction = shown.asked.some(({ name }) => name.startsWith("faction"));
  const [{ player, gameKeys }, faction] = await Promise.all([
    portal.account.overview(),
    ofFaction ? portal.authorization.factionPreview() : null,
  ]);
  return (
    <BareFrame width="wide">
      <div className="mx-auto grid max-w-240 items-start gap-x-8 gap-y-2 max-lg:pb-37 sm:gap-y-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid min-w-0 gap-2 sm:gap-6">
          <ApplicationFacts application={shown.application} />
          <ConsentWarnings view={shown} />
          <AllowedScopesCard view={shown} />
          <AskedScopesCard
            view={shown}
            form={formId}
            previews={scopePreviews({ player, gameKeys, faction })}
          />
          {shown.application.isComplete && <PrivacyCard application={shown.application} />}
        </div>
        <div className="grid lg:sticky lg:top-6 lg:gap-4">
          <DecisionForm
            view={shown}
            id={formId}
            csrf={{ name: csrfField, value: await csrfToken() }}
          />
          <p className="px-1 text-sm text-ink-faint">
            Signed in as <strong className="font-medium text-ink-soft">{player.name}</strong>{" "}
            <span className="tabular">[{player.id}]</span>.{" "}
            <TextLink href={signInPath({ request: requestId })}>Not you?</TextLink>
          </p>
          {/* On a phone the link is in a free corner, so that the page does not get longer. */}
          <p className="px-1 text-sm max-lg:absolute max-lg:top-4 max-lg:right-3 sm:max-lg:top-6 sm:max-lg:right-5">
            <TextLink href={`/account/apps/${shown.application.clientId}/report`} document>
              Report this application
            </TextLink>
          </p>
        </div>
      </div>
    </BareFrame>
  );
}
