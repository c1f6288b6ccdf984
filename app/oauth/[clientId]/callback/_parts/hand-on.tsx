"use client";

import { useEffect, useState } from "react";
import { type FlowAnswer, pageAwaiting, saveAnswer } from "#app/_parts/playground/flow";
import { InputField } from "#app/_ui/field.tsx";
import { LinkButton } from "#app/_ui/text-link.tsx";
import type { LocalCallbackRelay } from "#server/oauth/authorize/read-callback";
import { localCallbackUrl } from "#server/oauth/redirect-uri";

/**
 * Returns the answer to the waiting page of this tab. The code is always removed from the address
 * bar and the history.
 */
export function ReturnToPlayground({ clientId }: { clientId: string }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer is what the address held when the page came, once.
  useEffect(() => {
    const answer = readAnswer(location.search);
    const page = pageAwaiting(answer, clientId);
    if (page !== undefined) {
      saveAnswer(answer);
      location.replace(page);
      return;
    }
    if (location.search) history.replaceState(null, "", location.pathname);
  }, []);
  return null;
}

function readAnswer(search: string): FlowAnswer {
  const sent = new URLSearchParams(search);
  const read = (name: string) => sent.get(name) ?? undefined;
  return {
    code: read("code"),
    state: read("state"),
    iss: read("iss"),
    error: read("error"),
    errorDescription: read("error_description"),
  };
}

const usualAddress = "http://localhost:3000/callback";
const addressKey = (clientId: string) => `adjutant-local-address-${clientId}`;

/**
 * Forwards the answer only on click. The address is typed here and kept in this browser, so no link
 * can set it.
 */
export function ForwardToLocalhost({
  clientId,
  parameters,
}: {
  clientId: string;
  parameters: LocalCallbackRelay["parameters"];
}) {
  /** Undefined until storage was read. */
  const [kept, setAddress] = useState<string>();
  useEffect(() => setAddress(readKeptAddress(clientId) ?? usualAddress), [clientId]);
  const address = kept ?? usualAddress;
  const target = localCallbackUrl(address, parameters);
  return (
    <div className="grid gap-4">
      <InputField
        name="local"
        label="Address on this machine"
        hint="Kept in this browser."
        error={
          target === null &&
          "Enter an http address of localhost, 127.0.0.1 or [::1], without a query."
        }
        code
        readOnly={kept === undefined}
        value={address}
        onChange={({ target: { value } }) => {
          setAddress(value);
          keepAddress(clientId, value);
        }}
      />
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

/** Access throws if storage is disabled; the address is then typed each time. */
function readKeptAddress(clientId: string): string | null {
  try {
    return localStorage.getItem(addressKey(clientId));
  } catch {
    return null;
  }
}

function keepAddress(clientId: string, address: string): void {
  try {
    localStorage.setItem(addressKey(clientId), address);
  } catch {}
}
