import { generateAuthenticationOptions, verifyAuthenticationResponse } from "@simplewebauthn/server";
import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import { secondMs } from "#server/platform/durations";
import { signInRefused } from "../sign-in-refused";
import { Assertion, readAnswer } from "./answers";
import { type ChallengeFor, challengeSeconds, issueChallenge, relyingParty, takeChallenge } from "./challenge";
import { findPasskey, listCredentials, notePasskeyUse, type StoredPasskey } from "./store";

/**
 * Asks a browser for a signature by a passkey: by any that it has of ours for a sign-in, by the account's own to confirm.
 * @returns what goes to `navigator.credentials.get`, and the id that the browser must be given
 * @throws SignInRefused "passkey-off" or "throttled"
 */
export async function askForPasskey(ctx: Context, asked: ChallengeFor) {
  const { id: rpID } = relyingParty(ctx);
  const { challenge, browserId } = await issueChallenge(ctx, asked);
  const allowCredentials = asked.accountId ? await listCredentials(ctx.database.query, asked.accountId) : [];
  const options = await generateAuthenticationOptions({
    ...{ rpID, challenge, allowCredentials, userVerification: "required", timeout: challengeSeconds * secondMs },
  });
  return { options, browserId };
}

/** A passkey whose signature is right. */
export interface ProvedPasskey extends StoredPasskey {
  /** The authenticator's count of signatures, this one included. */
  readonly counter: number;
  readonly backedUp: boolean;
}

/**
 * Checks a signature: the challenge, which is used up first, the origin, the relying party, that the user was verified, and the
 * public key that is stored. The count is compared by `usePasskey`, in the transaction of what the passkey opens.
 * @param given the answer as text, and what the challenge must have been made for
 * @throws SignInRefused "passkey-refused", "passkey-expired" or "passkey-unknown"
 */
export async function provePasskey(
  ctx: Context,
  given: Omit<ChallengeFor, "address"> & { readonly answer: string },
): Promise<ProvedPasskey> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(ctx);
  const { answer, challenge } = readAnswer(Assertion, given.answer);
  await takeChallenge(ctx, { ...given, challenge });
  const passkey = await findPasskey(ctx.database.query, answer.id);
  if (!passkey) throw signInRefused("passkey-unknown");
  // A passkey that says whose it is must say the owner (Web Authentication section 7.2, step 6); a sign-in asks for no other.
  const { userHandle } = answer.response;
  if (userHandle === undefined ? given.accountId === null : userHandle !== userHandleOf(passkey.accountId))
    throw signInRefused("passkey-refused");
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: answer,
    expectedChallenge: challenge,
    ...{ expectedOrigin, expectedRPID, requireUserVerification: true },
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
      // Compared by the statement that stores the new count, so that of two copies at once one is refused.
      counter: 0,
    },
  }).catch((cause: unknown) => {
    throw signInRefused("passkey-refused", { cause });
  });
  if (!verified) throw signInRefused("passkey-refused");
  return { ...passkey, counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp };
}

/**
 * Notes the use of a proved passkey, within the transaction of what it opens.
 * @throws SignInRefused "passkey-copied" where its count did not grow, "passkey-unknown" where it was removed meanwhile
 */
export async function usePasskey(ctx: Context, tx: Queryable, proved: ProvedPasskey): Promise<void> {
  if (await notePasskeyUse(tx, { ...proved, at: ctx.now() })) return;
  throw signInRefused((await findPasskey(tx, proved.credentialId)) ? "passkey-copied" : "passkey-unknown");
}

/** Tells the owner of a passkey whose count did not grow. It is called after the transaction, which the refusal ended. */
export const notifyCopiedPasskey = (ctx: Context, accountId: string): Promise<void> =>
  ctx.notify(ctx.database.query, accountId, {
    kind: "passkey-copied",
    text: "A copy of one of your passkeys was used and refused. Remove the passkey that stopped working, and add a new one.",
    path: "/account/security",
  });

/** What a passkey calls its owner: the account's id, which says nothing about the player. */
export const userHandleOf = (accountId: string): string => Buffer.from(accountId).toString("base64url");
