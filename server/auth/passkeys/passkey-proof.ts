import {
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
} from "@simplewebauthn/server";
import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import { auditRefusal } from "#server/audit/audit-refusal";
import type { Context } from "#server/context";
import { secondMs } from "#server/platform/time";
import { noteConfirmed, tryToConfirm } from "../confirmation";
import { finishSignIn, type SignInOutcome, standsForBoth } from "../second-factor/second-step";
import { findSecondFactor } from "../second-factor/store";
import type { Browser } from "../sessions";
import { signInRefused } from "../sign-in-refused";
import { addressWindow, chargedTry } from "../sign-in-throttle";
import { lockAccount } from "../store";
import {
  Assertion,
  type ChallengeFor,
  challengeSeconds,
  issueChallenge,
  readAnswer,
  relyingParty,
  takeChallenge,
} from "./challenge";
import { findPasskey, listCredentials, notePasskeyUse, type StoredPasskey } from "./store";

/**
 * Asks a browser for a signature by a passkey: by any that it has of ours for a sign-in, by the account's own to confirm.
 * @returns what goes to `navigator.credentials.get`, and the id that the browser must be given
 * @throws SignInRefused "passkey-off" or "throttled"
 */
export async function askForPasskey(ctx: Context, asked: ChallengeFor) {
  const { id: rpID } = relyingParty(ctx);
  const { challenge, browserId } = await issueChallenge(ctx, asked);
  const allowCredentials = asked.accountId
    ? await listCredentials(ctx.database.query, asked.accountId)
    : [];
  const options = await generateAuthenticationOptions({
    ...{
      rpID,
      challenge,
      allowCredentials,
      userVerification: "required",
      timeout: challengeSeconds * secondMs,
    },
  });
  return { options, browserId };
}

/** A passkey whose signature is right. */
interface ProvedPasskey extends StoredPasskey {
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
async function provePasskey(
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
  if (
    userHandle === undefined
      ? given.accountId === null
      : userHandle !== userHandleOf(passkey.accountId)
  )
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
  return {
    ...passkey,
    counter: authenticationInfo.newCounter,
    backedUp: authenticationInfo.credentialBackedUp,
  };
}

/**
 * Notes the use of a proved passkey, within the transaction of what it opens.
 * @throws SignInRefused "passkey-copied" where its count did not grow, "passkey-unknown" where it was removed meanwhile
 */
async function usePasskey(ctx: Context, tx: Queryable, proved: ProvedPasskey) {
  const used = await notePasskeyUse(tx, { ...proved, at: ctx.now() });
  if (used) return used;
  throw signInRefused(
    (await findPasskey(tx, proved.credentialId)) ? "passkey-copied" : "passkey-unknown",
  );
}

/** Tells the owner of a passkey whose count did not grow. It is called after the transaction, which the refusal ended. */
const notifyCopiedPasskey = (ctx: Context, accountId: string): Promise<void> =>
  ctx.notify(ctx.database.query, accountId, {
    kind: "passkey-copied",
    text: "A copy of one of your passkeys was used and refused. Remove the passkey that stopped working, and add a new one.",
    path: "/account/security",
  });

/** The user handle of a passkey: the account's id, which says nothing about the player. */
export const userHandleOf = (accountId: string): string =>
  Buffer.from(accountId).toString("base64url");

interface PasskeySignIn {
  /** The browser's answer to the challenge, as text. */
  readonly answer: string;
  readonly browserId: string | null;
  readonly browser: Browser;
  /** The token of the session that the browser had so far; it ends. */
  readonly previousSession: string | null;
  readonly origin: Origin;
}

/**
 * Signs in the owner of a passkey. The authenticator is something they have, and it verified them by something they know or
 * are: once the second factor confirmed it, it stands for both. What the player may see follows stored data.
 * @throws SignInRefused with the reason
 */
export async function signInWithPasskey(
  ctx: Context,
  input: PasskeySignIn,
): Promise<SignInOutcome> {
  const { answer, browserId, browser, previousSession, origin } = input;
  let proved: ProvedPasskey | undefined;
  return chargedTry(ctx, [addressWindow(ctx.settings.rates, origin.address)], {
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
        // As every sign-in: turning the second factor on, or removing this passkey, ends its session or comes first.
        await lockAccount(tx, accountId);
        const { confirmedAt: passkeyConfirmedAt } = await usePasskey(ctx, tx, passkey);
        const who = { accountId, playerId, browser, previousSession, origin, details: {} };
        return finishSignIn(ctx, tx, { ...who, by: "passkey", passkeyConfirmedAt });
      });
    },
    onRefused: async ({ reason }) => {
      const [accountId, details] = [proved?.accountId ?? null, { reason, method: "passkey" }];
      await auditRefusal(ctx, {
        act: "sign-in-failed",
        actor: "anonymous",
        accountId,
        origin,
        details,
      });
      if (accountId && reason === "passkey-copied") await notifyCopiedPasskey(ctx, accountId);
    },
  });
}

/**
 * Confirms that it is still the user who holds the session, by a passkey of their account. It also passes the second factor,
 * which must have confirmed it where there is one.
 * @throws SignInRefused with the reason
 */
export async function confirmByPasskey(
  ctx: Context,
  user: PortalUser,
  given: { readonly answer: string; readonly browserId: string | null; readonly origin: Origin },
): Promise<void> {
  const { accountId } = user;
  const { origin } = given;
  await tryToConfirm(ctx, user, {
    ...{ windows: [addressWindow(ctx.settings.rates, origin.address)], origin },
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
        if (factor?.confirmedAt && !standsForBoth(confirmedAt, factor))
          throw signInRefused("code-wanted", {
            message: "This passkey does not count as a second factor: enter a code instead.",
          });
        await noteConfirmed(ctx, tx, user, { by: "passkey", origin, passesSecondFactor: true });
      });
    },
  });
}
