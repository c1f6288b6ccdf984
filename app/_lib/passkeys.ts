import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";

/** The passkey's answer as JSON, or the reason for its absence. */
type PasskeyAnswer =
  | { readonly answer: string; readonly problem?: never }
  | { readonly problem: string };

export const signWithPasskey = (
  optionsJSON: PublicKeyCredentialRequestOptionsJSON,
): Promise<PasskeyAnswer> => ask(({ startAuthentication }) => startAuthentication({ optionsJSON }));

export const makePasskey = (
  optionsJSON: PublicKeyCredentialCreationOptionsJSON,
): Promise<PasskeyAnswer> => ask(({ startRegistration }) => startRegistration({ optionsJSON }));

/** Loads the library on the first click, because few visits use a passkey. */
async function ask(
  how: (library: typeof import("@simplewebauthn/browser")) => Promise<unknown>,
): Promise<PasskeyAnswer> {
  try {
    return { answer: JSON.stringify(await how(await import("@simplewebauthn/browser"))) };
  } catch (thrown) {
    return {
      problem:
        sentences[thrown instanceof Error ? thrown.name : ""] ??
        "This browser could not use a passkey here.",
    };
  }
}

/** Error names of Web Authentication (sections 5.1.3 and 5.1.4). */
const sentences: Readonly<Record<string, string>> = {
  NotAllowedError:
    "No passkey was used: the browser has none for this site, or it was cancelled or took too long.",
  AbortError: "No passkey was used: it was cancelled.",
  InvalidStateError: "This device has a passkey for your account already.",
  NotSupportedError: "This device cannot make a passkey that this site can check.",
  SecurityError: "Passkeys do not work at this address. Open this site under its own name.",
};
