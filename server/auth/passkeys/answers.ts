import { decodeClientDataJSON } from "@simplewebauthn/server/helpers";
import { z } from "zod";
import { signInRefused } from "../sign-in-refused";

/** A browser's answer to a challenge, as text: `PublicKeyCredential.toJSON()` (Web Authentication section 5.1). */
export const AnswerText = z.string().max(32_000);

const Base64Url = z.string().regex(/^[A-Za-z0-9_-]*$/);
/** 1,023 bytes at most (Web Authentication section 5.8.1). */
const CredentialId = Base64Url.min(1).max(1_364);

const head = { id: CredentialId, rawId: CredentialId, type: z.literal("public-key") };
/** No extension is asked for, so none is read. */
const clientExtensionResults = z.unknown().transform(() => ({}));

const transports = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;
const Transport = z.enum(transports);

/** A new passkey. */
export const Attestation = z.object({
  ...head,
  clientExtensionResults,
  response: z.object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    /** What we have no name for is left out: it would only be told back to the browser. */
    transports: z
      .array(z.string())
      .max(20)
      .default([])
      .transform((told) => told.filter((name) => Transport.safeParse(name).success)),
  }),
});

/** A signature by a passkey. */
export const Assertion = z.object({
  ...head,
  clientExtensionResults,
  response: z.object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Base64Url.optional(),
  }),
});

/**
 * Reads a browser's answer, and the challenge that it says it answers. Nothing of it is proved yet.
 * @throws SignInRefused "passkey-refused" where it is none
 */
export function readAnswer<Answer extends typeof Attestation | typeof Assertion>(
  form: Answer,
  text: string,
): { answer: z.output<Answer>; challenge: string } {
  try {
    const answer = form.parse(JSON.parse(text)) as z.output<Answer>;
    const { challenge } = decodeClientDataJSON(answer.response.clientDataJSON);
    if (typeof challenge !== "string") throw new TypeError("clientDataJSON names no challenge");
    return { answer, challenge };
  } catch (cause) {
    throw signInRefused("passkey-refused", { cause });
  }
}
