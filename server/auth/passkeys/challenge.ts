import { isIP } from "node:net";
import { decodeClientDataJSON } from "@simplewebauthn/server/helpers";
import { z } from "zod";
import type { Context } from "#server/context";
import { text } from "#server/platform/input-schemas";
import { networkOf } from "#server/platform/peer-address";
import { secondMs } from "#server/platform/time";
import { putProofs, takeProof } from "#server/work/proofs";
import { browserHash, newBrowserId } from "../browser-binding";
import { signInRefused } from "../sign-in-refused";
import { chargeForGood } from "../sign-in-throttle";

export const challengeSeconds = 300;

const challengeBytes = 32;
/** Per clock minute and network. */
const challengeLimit = 60;

interface RelyingParty {
  /** A passkey is bound to it for good. */
  readonly id: string;
  readonly origin: string;
}

/** Undefined for an IP address, for which browsers make no passkeys. */
export function relyingPartyOf(baseUrl: string): RelyingParty | undefined {
  const { hostname, origin } = new URL(baseUrl);
  return isIP(hostname.replace(/^\[|\]$/g, "")) === 0 ? { id: hostname, origin } : undefined;
}

/** @throws SignInRefused "passkey-off" */
export function relyingParty({ settings }: Pick<Context, "settings">): RelyingParty {
  const party = relyingPartyOf(settings.baseUrl);
  if (!party) throw signInRefused("passkey-off");
  return party;
}

export interface ChallengeFor {
  readonly purpose: "registration" | "sign-in" | "confirmation";
  readonly accountId: string | null;
  readonly browserId: string | null;
  readonly address: string | null;
}

/** @throws SignInRefused "throttled" */
export async function issueChallenge(
  ctx: Context,
  { purpose, accountId, browserId: known, address }: ChallengeFor,
): Promise<{ challenge: Uint8Array<ArrayBuffer>; browserId: string }> {
  const subject = networkOf(address);
  await chargeForGood(ctx, { policy: "passkey-challenge", subject, limit: challengeLimit });
  const challenge = new Uint8Array(ctx.ids.bytes(challengeBytes));
  const browserId = known ?? newBrowserId(ctx);
  const createdAt = ctx.now();
  await putProofs(ctx.database.query, [
    {
      id: ctx.keyring.hmac("passkey", Buffer.from(challenge).toString("base64url")).hash,
      kind: `passkey-${purpose}`,
      browserHash: browserHash(ctx, browserId),
      accountId,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + challengeSeconds * secondMs),
    },
  ]);
  return { challenge, browserId };
}

/** Even an invalid answer consumes it. @throws SignInRefused "passkey-expired" */
export async function takeChallenge(
  ctx: Context,
  {
    challenge,
    purpose,
    accountId,
    browserId,
  }: Omit<ChallengeFor, "address"> & { readonly challenge: string },
): Promise<void> {
  const taken =
    browserId !== null &&
    (await takeProof(ctx.database.query, {
      kind: `passkey-${purpose}`,
      ids: ctx.keyring.hmacs("passkey", challenge),
      browserHashes: ctx.keyring.hmacs("browser", browserId),
      accountId,
      now: ctx.now(),
    }));
  if (!taken) throw signInRefused("passkey-expired");
}

/** Web Authentication section 5.1. */
export const AnswerText = text(32_000);

const Base64Url = z.string().regex(/^[A-Za-z0-9_-]*$/);
/** At most 1,023 bytes (Web Authentication section 5.8.1). */
const CredentialId = Base64Url.min(1).max(1_364);

const head = { id: CredentialId, rawId: CredentialId, type: z.literal("public-key") };
/** None is requested. */
const clientExtensionResults = z.unknown().transform(() => ({}));

const transports = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;
const Transport = z.enum(transports);

export const Attestation = z.object({
  ...head,
  clientExtensionResults,
  response: z.object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    /** Unknown ones would only be sent back. */
    transports: z
      .array(z.string())
      .max(20)
      .default([])
      .transform((told) => told.filter((name) => Transport.safeParse(name).success)),
  }),
});

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
