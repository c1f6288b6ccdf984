import { caller } from "#app/_lib/caller";
import { requireUser } from "#app/_lib/current-user";
import { type PageProps, readParam } from "#app/_lib/search-params";
import { gameName } from "#app/_lib/settings";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { Interactive } from "#app/_parts/interactive.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { Passkeys } from "./_parts/passkeys";
import { SecondFactor } from "./_parts/second-factor";

export const metadata = { title: "Security" };

const done = {
  off: "The second factor is off.",
  added: "The passkey is added.",
  trusted: "The passkey is trusted.",
  removed: "The passkey is removed.",
  "removed-everywhere": "The passkey is removed. You were signed out of your other browsers.",
};

export default async function Security({ searchParams }: PageProps) {
  const user = await requireUser();
  const forAdmin = (await readParam(searchParams, "for")) === "admin" && user.admin;
  const portal = await caller();
  const [shown, factor] = await Promise.all([portal.passkeys.show(), portal.secondFactor.show()]);
  const passkeys = <Passkeys {...shown} />;
  return (
    <>
      <PageHeader
        title="Security"
        lead={`Sign in with a passkey instead of your ${gameName()} API key, and protect key sign-in with an authenticator app.`}
      />
      <FormNotice searchParams={searchParams} done={done} />
      <Interactive>
        {!forAdmin && passkeys}
        <SecondFactor {...factor} forAdmin={forAdmin} passkeys={shown.passkeys} />
        {forAdmin && passkeys}
      </Interactive>
    </>
  );
}
