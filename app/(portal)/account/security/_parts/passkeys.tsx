import { Confirmation } from "#app/_parts/confirmation.tsx";
import { Card } from "#app/_ui/card.tsx";
import { describeBrowser } from "#server/auth/describe-browser";
import type { Answers } from "#server/portal/router";
import { AddPasskey, NamedPasskey } from "./passkey-forms";

type Props = Answers["passkeys"]["show"];

const action = "/account/security/passkey";

export const Passkeys = ({ offered, passkeys, most }: Props) => (
  <Card
    title="Passkeys"
    description="Your phone, computer or security key signs you in: no key to paste, no code to type."
    flush={passkeys.length > 0}
    footer={
      !offered ? undefined : passkeys.length >= most ? (
        <span>You have {most} passkeys. Remove one to add another.</span>
      ) : (
        <AddPasskey />
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
            <NamedPasskey passkey={passkey}>
              {passkey.wantsCode && (
                <Confirmation
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
              <Confirmation
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
            </NamedPasskey>
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
