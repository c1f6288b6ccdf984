"use client";

import { useEffect, useState } from "react";
import { Input } from "#app/_ui/controls.tsx";
import { Field } from "#app/_ui/field.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import type { HandOn } from "#server/oauth/authorize/read-callback";
import { handOnTo } from "#server/oauth/redirect-uri";

const usual = "http://localhost:3000/callback";
const keyOf = (clientId: string) => `adjutant-local-address-${clientId}`;

/** Storage is switched off in some browsers, and asking for it throws there: then the address is typed each time. */
function readKept(clientId: string): string | null {
  try {
    return localStorage.getItem(keyOf(clientId));
  } catch {
    return null;
  }
}

function keep(clientId: string, address: string): void {
  try {
    localStorage.setItem(keyOf(clientId), address);
  } catch {}
}

/**
 * Sends an answer to the owner's own machine, at a click. Where to is typed here and kept in this browser: no link that somebody
 * sends can name it.
 */
export function SendToLocalhost({ clientId, parameters }: { clientId: string; parameters: HandOn["parameters"] }) {
  /** Undefined until what this browser keeps was read: what is typed before that would be lost. */
  const [kept, setAddress] = useState<string>();
  useEffect(() => setAddress(readKept(clientId) ?? usual), [clientId]);
  const address = kept ?? usual;
  const target = handOnTo(address, parameters);
  return (
    <div className="grid gap-4">
      <Field
        name="local"
        label="Address on this machine"
        hint="Kept in this browser."
        error={target === null && "Enter an http address of localhost, 127.0.0.1 or [::1], without a query."}
      >
        {(control) => (
          <Input
            {...control}
            code
            readOnly={kept === undefined}
            value={address}
            onChange={({ target: { value } }) => {
              setAddress(value);
              keep(clientId, value);
            }}
          />
        )}
      </Field>
      {target !== null && (
        <div>
          <LinkButton href={target} document variant="primary">
            Send to {new URL(address).host}
          </LinkButton>
        </div>
      )}
    </div>
  );
}
