import { generateRegistrationOptions, verifyRegistrationResponse } from "@simplewebauthn/server";
import { z } from "zod";
import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { GeneralError } from "#server/failures";
import { secondMs } from "#server/platform/time";
import { requirePlayerName } from "#server/users/find-players";
import { coversBothFactors } from "../second-factor/second-step";
import { findSecondFactor } from "../second-factor/store";
import { longestUserAgent } from "../sessions";
import { signInRefused } from "../sign-in-refused";
import { deleteSessionsExcept, findSecondFactorAt, lockAccount } from "../store";
import {
  Attestation,
  challengeSeconds,
  issueChallenge,
  relyingPartyOf,
  requireRelyingParty,
  takeAnswer,
} from "./passkey-proof";
import {
  countPasskeys,
  deletePasskeys,
  insertPasskey,
  listCredentialDescriptors,
  listPasskeys,
  markPasskeysConfirmed,
  renamePasskeyRow,
} from "./store";

export const maxPasskeys = 20;

/** COSE: Ed25519, ES256 and RS256. */
const algorithms = [-8, -7, -257];

export const PasskeyName = z
  .string()
  .trim()
  .min(1, "Give it a name.")
  .max(40, "Use at most 40 characters.")
  .regex(/^[^\p{Cc}\p{Cf}]*$/u, "Use letters, digits and signs that can be seen.");

export async function showPasskeys(ctx: Context, { accountId }: PortalUser) {
  const on = ctx.database.query;
  const [passkeys, factor] = await Promise.all([
    listPasskeys(on, accountId),
    findSecondFactor(on, accountId),
  ]);
  return {
    offered: relyingPartyOf(ctx.settings.baseUrl) !== undefined,
    passkeys: passkeys.map((passkey) => ({
      ...passkey,
      wantsCode: factor?.confirmedAt != null && !coversBothFactors(passkey.confirmedAt, factor),
    })),
    most: maxPasskeys,
  };
}

/** The caller checks the confirmation. @throws GeneralError at the limit, SignInRefused */
export async function beginPasskeyRegistration(
  ctx: Context,
  by: PortalUser,
  binding: { browserId: string | null },
) {
  const { accountId, playerId } = by;
  const { id: rpID } = requireRelyingParty(ctx);
  const held = await listCredentialDescriptors(ctx.database.query, accountId);
  if (held.length >= maxPasskeys) throw tooMany();
  const name = await requirePlayerName(ctx, playerId);
  const { challenge, browserId } = await issueChallenge(ctx, {
    ...binding,
    address: by.from.address,
    purpose: "registration",
    accountId,
  });
  const options = await generateRegistrationOptions({
    rpID,
    rpName: "Adjutant",
    challenge,
    timeout: challengeSeconds * secondMs,
    attestationType: "none",
    userID: new Uint8Array(Buffer.from(accountId)),
    userName: `${name} [${playerId}]`,
    userDisplayName: name,
    excludeCredentials: held,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: algorithms,
  });
  return { options, browserId };
}

/**
 * The passkey counts as both factors if the session passed the second factor. The caller checks the
 * confirmation.
 * @throws SignInRefused, GeneralError at the limit or for a stored passkey
 */
export async function addPasskey(
  ctx: Context,
  by: PortalUser,
  given: {
    readonly answer: string;
    readonly name: string;
    readonly browserId: string | null;
  },
): Promise<void> {
  const { accountId } = by;
  const { name, browserId } = given;
  const { answer, expected } = await takeAnswer(ctx, Attestation, {
    answer: given.answer,
    purpose: "registration",
    accountId,
    browserId,
  });
  const { registrationInfo } = await verifyRegistrationResponse({
    ...expected,
    response: answer,
    supportedAlgorithmIDs: algorithms,
  }).catch((cause: unknown) => {
    throw signInRefused("passkey-refused", { cause });
  });
  if (!registrationInfo) throw signInRefused("passkey-refused");
  const { credential, credentialBackedUp: backedUp } = registrationInfo;
  await ctx.database.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    if ((await countPasskeys(tx, accountId)) >= maxPasskeys) throw tooMany();
    const passed = await passedSecondFactor(tx, by);
    const stored = await insertPasskey(tx, {
      id: ctx.ids.uuid(),
      accountId,
      name,
      backedUp,
      createdAt: ctx.now(),
      address: by.from.address,
      userAgent: by.from.userAgent?.slice(0, longestUserAgent) ?? null,
      confirmedAt: passed ? ctx.now() : null,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString("base64url"),
      counter: credential.counter,
      transports: answer.response.transports,
    });
    if (!stored) throw GeneralError.because({ message: "This passkey is stored here already." });
    await ctx.audit(tx, by, "passkey.added", { details: { passkey: name } });
    await ctx.notify(tx, {
      accountId,
      kind: "passkey-added",
      text: `The passkey "${name}" can now sign in to your account. If that was not you, remove it and replace your game key.`,
      path: "/account/security",
    });
  });
}

const passedSecondFactor = async (tx: Queryable, { accountId, sessionHash }: PortalUser) =>
  coversBothFactors(
    await findSecondFactorAt(tx, sessionHash),
    await findSecondFactor(tx, accountId),
  );

/**
 * The passkey counts as both factors from now on. The caller checks the confirmation.
 * @throws GeneralError without such a passkey, or if this session did not pass the second factor
 */
export async function trustPasskey(
  ctx: Context,
  by: PortalUser,
  { id }: { id: string },
): Promise<void> {
  const { accountId } = by;
  await ctx.database.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    if (!(await passedSecondFactor(tx, by)))
      throw GeneralError.because({
        message: "Sign in again with a code from your app, then trust this passkey.",
      });
    const [name] = await markPasskeysConfirmed(tx, { accountId, ids: [id], at: ctx.now() });
    if (name === undefined) throw gone();
    await ctx.audit(tx, by, "passkey.trusted", { details: { passkey: name } });
    await ctx.notify(tx, {
      accountId,
      kind: "passkey-trusted",
      text: `The passkey "${name}" now signs in without a code. If that was not you, remove it and replace your game key.`,
      path: "/account/security",
    });
  });
}

/** The caller checks the confirmation. @throws GeneralError without such a passkey */
export async function renamePasskey(
  ctx: Context,
  { accountId }: PortalUser,
  { id, name }: { id: string; name: string },
): Promise<void> {
  if (!(await renamePasskeyRow(ctx.database.query, { accountId, id, name }))) throw gone();
}

/**
 * The removed device may be lost or foreign, so other sessions end too. The caller checks the
 * confirmation.
 * @throws GeneralError without such a passkey
 */
export async function removePasskey(
  ctx: Context,
  by: PortalUser,
  { id }: { id: string },
): Promise<{ sessionsEnded: number }> {
  const { accountId, sessionHash } = by;
  return ctx.database.transaction(async (tx) => {
    // Serialises with sign-ins.
    await lockAccount(tx, accountId);
    const [name] = await deletePasskeys(tx, accountId, { only: id });
    if (name === undefined) throw gone();
    const sessionsEnded = await deleteSessionsExcept(tx, accountId, sessionHash);
    await ctx.audit(tx, by, "passkey.removed", { details: { passkey: name, sessionsEnded } });
    await ctx.notify(tx, {
      accountId,
      kind: "passkey-removed",
      text: `The passkey "${name}" was removed and signs in no more.`,
      path: "/account/security",
    });
    return { sessionsEnded };
  });
}

const tooMany = () =>
  GeneralError.because({
    message: `An account has at most ${maxPasskeys} passkeys. Remove one you no longer use.`,
  });

const gone = () => GeneralError.because({ message: "This passkey was removed already." });
