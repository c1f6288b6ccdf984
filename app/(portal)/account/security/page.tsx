import { caller } from "#app/_lib/caller";
import { requireUser } from "#app/_lib/current-user";
import { type PageProps, readParam } from "#app/_lib/search-params";
import { gameName } from "#app/_lib/settings";
import { ConfirmButton } from "#app/_parts/confirm-button.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { ClientProviders } from "#app/_parts/interactive.tsx";
import { Card } from "#app/_ui/card.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { describeBrowser } from "#server/auth/describe-browser";
import type { RouterOutputs } from "#server/portal/router";
import { AddPasskeyForm, PasskeyRow } from "./_parts/passkey-forms";
import { SecondFactorSettings } from "./_parts/second-factor";

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
      <ClientProviders>
        {!forAdmin && passkeys}
        <SecondFactorSettings {...factor} forAdmin={forAdmin} passkeys={shown.passkeys} />
        {forAdmin && passkeys}
      </ClientProviders>
    </>
  );
}

const action = "/account/security/passkey";

const Passkeys = ({ offered, passkeys, most }: RouterOutputs["passkeys"]["show"]) => (
  <Card
    title="Passkeys"
    description="Your phone, computer or security key signs you in: no key to paste, no code to type."
    flush={passkeys.length > 0}
    footer={
      !offered ? undefined : passkeys.length >= most ? (
        <span>You have {most} passkeys. Remove one to add another.</span>
      ) : (
        <AddPasskeyForm />
      )
    }
  >
    {passkeys.length > 0 ? (
      <ul className="divide-y divide-line">
        {passkeys.map((passkey) => (
          <li
            key={passkey.id}
            className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3 sm:px-5"
          >
            <PasskeyRow passkey={passkey}>
              {passkey.wantsCode && (
                <ConfirmButton
                  label="Trust"
                  what={`the passkey “${passkey.name}”`}
                  consequences={[
                    `It was added in ${describeBrowser(passkey.userAgent)}${passkey.address ? `, ${passkey.address}` : ""}: trust it only if you added it yourself`,
                    "It signs in without a code from your app",
                    "It confirms changes to your account",
                  ]}
                  action={action}
                  fields={{ act: "trust", id: passkey.id }}
                />
              )}
              <ConfirmButton
                label="Remove"
                what={`the passkey “${passkey.name}”`}
                consequences={[
                  "It no longer signs in",
                  "You are signed out of all other browsers",
                  "Delete it on the device as well, so that it is no longer offered there",
                ]}
                action={action}
                fields={{ act: "remove", id: passkey.id }}
              />
            </PasskeyRow>
          </li>
        ))}
      </ul>
    ) : (
      <p className="max-w-prose text-ink-soft">
        {offered
          ? "A passkey unlocks with your fingerprint, face or PIN, and counts as both factors: a sign-in with it asks for no code. Your game key still signs in if you lose it."
          : "Not offered here: browsers make passkeys for host names, and this service is at a bare IP address."}
      </p>
    )}
    <noscript>
      <p className="p-4 text-sm sm:px-5">Passkeys need JavaScript in this browser.</p>
    </noscript>
  </Card>
);
