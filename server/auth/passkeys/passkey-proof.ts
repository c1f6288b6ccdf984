import { isIP } from "node:net";
import {
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
} from "@simplewebauthn/server";
import { decodeClientDataJSON } from "@simplewebauthn/server/helpers";
import { z } from "zod";
import type { Queryable } from "#db/client";
import type { AnonymousActor, PortalUser } from "#server/actor";
import { auditRefusal } from "#server/audit/audit-refusal";
import type { Context } from "#server/context";
import { text } from "#server/platform/input-schemas";
import { secondMs } from "#server/platform/time";
import { putBrowserProof, takeBrowserProof, type VisitingBrowser } from "../browser-binding";
import { noteConfirmed, tryToConfirm } from "../confirmation";
import { coversBothFactors, finishSignIn, type SignInOutcome } from "../second-factor/second-step";
import { findSecondFactor } from "../second-factor/store";
import { signInRefused } from "../sign-in-refused";
import { addressWindow, runChargedTry } from "../sign-in-throttle";
import { lockAccount } from "../store";
import {
  findPasskey,
  listCredentialDescriptors,
  notePasskeyUse,
  type StoredPasskey,
} from "./store";

export const challengeSeconds = 300;

const challengeBytes = 32;

interface RelyingParty {
  /** Passkeys are bound to this domain for good. */
  readonly id: string;
  readonly origin: string;
}

/** Undefined for an IP address, for which browsers make no passkeys. */
export function relyingPartyOf(baseUrl: string): RelyingParty | undefined {
  const { hostname, origin } = new URL(baseUrl);
  return isIP(hostname.replace(/^\[|\]$/g, "")) === 0 ? { id: hostname, origin } : undefined;
}

/** @throws SignInRefused "passkey-off" */
export function requireRelyingParty({ settings }: Pick<Context, "settings">): RelyingParty {
  const party = relyingPartyOf(settings.baseUrl);
  if (!party) throw signInRefused("passkey-off");
  return party;
}

export interface ChallengeRequest extends VisitingBrowser {
  readonly purpose: "registration" | "sign-in" | "confirmation";
  readonly accountId: string | null;
}

/** @throws SignInRefused "throttled" */
export async function issueChallenge(
  ctx: Context,
  { purpose, accountId, ...visitor }: ChallengeRequest,
): Promise<{ challenge: Uint8Array<ArrayBuffer>; browserId: string }> {
  const challenge = new Uint8Array(ctx.ids.bytes(challengeBytes));
  const browserId = await putBrowserProof(ctx, visitor, {
    id: ctx.keyring.hmac("passkey", Buffer.from(challenge).toString("base64url")).hash,
    kind: `passkey-${purpose}`,
    accountId,
    policy: "passkey-challenge",
    seconds: challengeSeconds,
  });
  return { challenge, browserId };
}

/** Web Authentication section 5.1. */
export const AnswerText = text(32_000);

const Base64Url = z.string().regex(/^[A-Za-z0-9_-]*$/);
/** At most 1,023 bytes (Web Authentication section 5.8.1). */
const CredentialId = Base64Url.min(1).max(1_364);

const head = { id: CredentialId, rawId: CredentialId, type: z.literal("public-key") };
/** Dropped, because no extension is requested. */
const clientExtensionResults = z.unknown().transform(() => ({}));

const transports = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;
const Transport = z.enum(transports);

export const Attestation = z.object({
  ...head,
  clientExtensionResults,
  response: z.object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    /** Unknown transports are dropped, because they would only be sent back. */
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

type Answered = Omit<ChallengeRequest, "address"> & { readonly answer: string };

/**
 * Consumes the challenge, even if the answer turns out to be invalid.
 * @returns the answer and the expected values
 * @throws SignInRefused "passkey-off", "passkey-refused" or "passkey-expired"
 */
export async function takeAnswer<Answer extends typeof Attestation | typeof Assertion>(
  ctx: Context,
  form: Answer,
  { answer: text, purpose, accountId, browserId }: Answered,
) {
  const { id: expectedRPID, origin: expectedOrigin } = requireRelyingParty(ctx);
  const { answer, challenge } = readAnswer(form, text);
  const ids = ctx.keyring.hmacs("passkey", challenge);
  const presented = { kind: `passkey-${purpose}`, ids, accountId } as const;
  if (!(await takeBrowserProof(ctx, browserId, presented))) throw signInRefused("passkey-expired");
  const expected = { expectedChallenge: challenge, expectedOrigin, expectedRPID };
  return { answer, expected: { ...expected, requireUserVerification: true } };
}

function readAnswer<Answer extends typeof Attestation | typeof Assertion>(
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

/** A sign-in allows any passkey, a confirmation only the account's. @throws SignInRefused */
export async function askForPasskey(ctx: Context, asked: ChallengeRequest) {
  const { id: rpID } = requireRelyingParty(ctx);
  const { challenge, browserId } = await issueChallenge(ctx, asked);
  const allowCredentials = asked.accountId
    ? await listCredentialDescriptors(ctx.database.query, asked.accountId)
    : [];
  const options = await generateAuthenticationOptions({
    rpID,
    challenge,
    allowCredentials,
    userVerification: "required",
    timeout: challengeSeconds * secondMs,
  });
  return { options, browserId };
}

interface ProvedPasskey extends StoredPasskey {
  readonly counter: number;
  readonly backedUp: boolean;
}

/** Consumes the challenge first. @throws SignInRefused */
async function provePasskey(ctx: Context, given: Answered): Promise<ProvedPasskey> {
  const { answer, expected } = await takeAnswer(ctx, Assertion, given);
  const passkey = await findPasskey(ctx.database.query, answer.id);
  if (!passkey) throw signInRefused("passkey-unknown");
  // Web Authentication section 7.2, step 6.
  const { userHandle } = answer.response;
  if (
    userHandle === undefined
      ? given.accountId === null
      : userHandle !== userHandleOf(passkey.accountId)
  )
    throw signInRefused("passkey-refused");
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    ...expected,
    response: answer,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
      // Zero, because the UPDATE that stores the new count checks it and refuses one of two copies.
      counter: 0,
    },
  }).catch((cause: unknown) => {
    throw signInRefused("passkey-refused", { cause });
  });
  if (!verified) throw signInRefused("passkey-refused");
  return {
    ...passkey,
    counter: authenticationInfo.newCounter,
    backedUp: authenticationInfo.credentialBackedUp,
  };
}

/** @throws SignInRefused "passkey-copied" if the count did not grow, "passkey-unknown" */
async function usePasskey(ctx: Context, tx: Queryable, proved: ProvedPasskey) {
  const used = await notePasskeyUse(tx, { ...proved, at: ctx.now() });
  if (used) return used;
  throw signInRefused(
    (await findPasskey(tx, proved.credentialId)) ? "passkey-copied" : "passkey-unknown",
  );
}

/** In a new transaction, because the refusal rolled the first one back. */
const notifyCopiedPasskey = (ctx: Context, accountId: string): Promise<void> =>
  ctx.database.transaction((tx) =>
    ctx.notify(tx, {
      accountId,
      kind: "passkey-copied",
      text: "A copy of one of your passkeys was used and refused. Remove the passkey that stopped working, and add a new one.",
      path: "/account/security",
    }),
  );

const userHandleOf = (accountId: string): string => Buffer.from(accountId).toString("base64url");

interface PasskeySignIn {
  readonly answer: string;
  readonly browserId: string | null;
  readonly previousSession: string | null;
}

/** @throws SignInRefused */
export async function signInWithPasskey(
  ctx: Context,
  by: AnonymousActor,
  { answer, browserId, previousSession }: PasskeySignIn,
): Promise<SignInOutcome> {
  let proved: ProvedPasskey | undefined;
  return runChargedTry(ctx, [addressWindow(ctx, by)], {
    attempt: async () => {
      const passkey = await provePasskey(ctx, {
        answer,
        browserId,
        purpose: "sign-in",
        accountId: null,
      });
      proved = passkey;
      const { accountId, playerId } = passkey;
      return ctx.database.transaction(async (tx) => {
        // Serialised with turning the second factor on and removing this passkey.
        await lockAccount(tx, accountId);
        const { confirmedAt: passkeyConfirmedAt } = await usePasskey(ctx, tx, passkey);
        const player = { kind: "player", accountId, playerId, from: by.from } as const;
        const proved = { factor: "passkey", previousSession, passkeyConfirmedAt } as const;
        return finishSignIn(ctx, tx, { ...player, ...proved });
      });
    },
    onRefused: async ({ reason }) => {
      const [accountId, details] = [proved?.accountId ?? null, { reason, method: "passkey" }];
      await auditRefusal(ctx, by, "session.refused", { accountId, details });
      if (accountId && reason === "passkey-copied") await notifyCopiedPasskey(ctx, accountId);
    },
  });
}

/** @throws SignInRefused */
export async function confirmByPasskey(
  ctx: Context,
  by: PortalUser,
  given: { answer: string; browserId: string | null },
): Promise<void> {
  const { accountId } = by;
  await tryToConfirm(ctx, by, {
    windows: [addressWindow(ctx, by)],
    onRefused: async (reason) => {
      if (reason === "passkey-copied") await notifyCopiedPasskey(ctx, accountId);
    },
    attempt: async () => {
      const passkey = await provePasskey(ctx, { ...given, purpose: "confirmation", accountId });
      if (passkey.accountId !== accountId) throw signInRefused("passkey-of-another");
      await ctx.database.transaction(async (tx) => {
        await lockAccount(tx, accountId);
        const { confirmedAt } = await usePasskey(ctx, tx, passkey);
        const factor = await findSecondFactor(tx, accountId);
        if (factor?.confirmedAt && !coversBothFactors(confirmedAt, factor))
          throw signInRefused("code-wanted", {
            message: "This passkey does not count as a second factor: enter a code instead.",
          });
        await noteConfirmed(ctx, tx, by, "passkey");
      });
    },
  });
}
