import {
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
} from "@simplewebauthn/server";
import type { Queryable } from "#db/client";
import type { AnonymousActor, PortalUser } from "#server/actor";
import { auditRefusal } from "#server/audit/audit-refusal";
import type { Context } from "#server/context";
import { secondMs } from "#server/platform/time";
import { noteConfirmed, tryToConfirm } from "../confirmation";
import { finishSignIn, type SignInOutcome, standsForBoth } from "../second-factor/second-step";
import { findSecondFactor } from "../second-factor/store";
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

/** Any passkey for a sign-in, the account's own for a confirmation. @throws SignInRefused */
export async function askForPasskey(ctx: Context, asked: ChallengeFor) {
  const { id: rpID } = relyingParty(ctx);
  const { challenge, browserId } = await issueChallenge(ctx, asked);
  const allowCredentials = asked.accountId
    ? await listCredentials(ctx.database.query, asked.accountId)
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
async function provePasskey(
  ctx: Context,
  given: Omit<ChallengeFor, "address"> & { readonly answer: string },
): Promise<ProvedPasskey> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(ctx);
  const { answer, challenge } = readAnswer(Assertion, given.answer);
  await takeChallenge(ctx, { ...given, challenge });
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
    response: answer,
    expectedChallenge: challenge,
    expectedOrigin,
    expectedRPID,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
      // By the statement that stores the new count: of two concurrent copies one is refused.
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

/** The refusal rolled the transaction back. */
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
  return chargedTry(ctx, [addressWindow(ctx, by)], {
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
  given: { readonly answer: string; readonly browserId: string | null },
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
        if (factor?.confirmedAt && !standsForBoth(confirmedAt, factor))
          throw signInRefused("code-wanted", {
            message: "This passkey does not count as a second factor: enter a code instead.",
          });
        await noteConfirmed(ctx, tx, by, "passkey");
      });
    },
  });
}
