import { isPortalRefusal, type PortalRefusal, portalRefusal } from "#server/portal-refusal";

/** The words are part of addresses: /sign-in?error=<word>. */
export const signInRefusals = {
  malformed: "That is not a game key: a key has exactly 16 letters and digits. Copy it again.",
  "wrong-key": "This key does not exist. It may have been deleted or replaced: create a new one.",
  "key-paused": "This key is paused. Resume it, or use another one.",
  "key-just-changed": "This key was changed less than a minute ago. Wait a minute and try again.",
  "owner-unavailable":
    "This key cannot be used now: its owner is in federal jail, or was away for over a week.",
  "key-insufficient":
    "This key's access level is too low. Use a key of the level Public Only or higher, or a custom key with the user selections profile, discord and faction.",
  banned:
    "This account is banned from Adjutant, so nobody can sign in to it. If you think that is wrong, contact the operator of this service.",
  "wrong-code":
    "Wrong code. Wait for the next one in your authenticator app: each is accepted once. A backup code has ten letters and digits.",
  "second-step-over":
    "This sign-in expired after ten minutes or was already finished. Start again here.",
  "session-over": "You have been signed out. Sign in again.",
  "code-wanted": "Your account has a second factor: enter a code instead of a game key.",
  "key-of-another":
    "This key belongs to another player. Use a key of the player that you are signed in as.",
  "passkey-refused":
    "The passkey was not accepted. Try again with a passkey of this site; it needs JavaScript and a screen lock or PIN.",
  "passkey-unknown":
    "This passkey is not stored here. It may have been removed: sign in another way and add a new one.",
  "passkey-expired":
    "That took more than five minutes, was already used, or was started in another browser. Try the passkey again.",
  "passkey-copied":
    "This passkey was used in a way that only a copy can be, so it was refused. Sign in another way, remove it and add a new one.",
  "passkey-of-another":
    "This passkey belongs to another player. Use one of the player that you are signed in as.",
  "passkey-off":
    "Passkeys are not offered here: this service has no host name. Sign in with a game key.",
  throttled: "Too many failed sign-ins. Wait a minute and try again.",
  "game-unavailable": "Your key could not be checked. Try again in a few minutes.",
  "chat-off": "Signing in with a chat account is not offered here. Sign in with a game key.",
  "chat-expired":
    "That sign-in has expired, was already used, or was started in another browser. Start again.",
  "chat-declined":
    "You did not approve the sign-in in the chat. Start again, or sign in with a game key.",
  "chat-unknown":
    "This chat account is not linked to a player here. Sign in with a game key first, then link it on your account page.",
  "chat-unavailable":
    "The chat did not tell us who you are. Try again in a few minutes, or sign in with a game key.",
  "chat-taken":
    "This chat account is linked to another player here. It must be unlinked there first.",
  "chat-other": "Your account is linked to another chat account. Unlink that one first.",
} as const;

export type SignInRefusal = keyof typeof signInRefusals;

export const isSignInRefusal = (word: string): word is SignInRefusal =>
  Object.hasOwn(signInRefusals, word);

/** Programs must see the throttling, and a ban's reason must not be in an address. */
export const isShownInPlace = (word: SignInRefusal): boolean =>
  word === "throttled" || word === "banned";

export type SignInRefused = PortalRefusal & { readonly reason: SignInRefusal };

const statuses: Partial<Record<SignInRefusal, number>> = {
  throttled: 429,
  "game-unavailable": 503,
  "chat-off": 404,
  "passkey-off": 404,
  // Not 401, because a signed-in user must stay signed in.
  "wrong-code": 403,
  "code-wanted": 403,
  "key-of-another": 403,
  "passkey-refused": 403,
  "passkey-unknown": 403,
  "passkey-expired": 403,
  "passkey-copied": 403,
  "passkey-of-another": 403,
};

export function signInRefused(
  reason: SignInRefusal,
  why: { message?: string; retryAfter?: number; cause?: unknown } = {},
): SignInRefused {
  const { message = signInRefusals[reason], retryAfter, cause } = why;
  const status = statuses[reason] ?? 401;
  return portalRefusal({
    name: "SignInRefused",
    reason,
    status,
    message,
    retryAfter,
    cause,
  }) as SignInRefused;
}

export const isSignInRefused = (thrown: unknown): thrown is SignInRefused =>
  isPortalRefusal(thrown) && isSignInRefusal(thrown.reason);

/** Only the proven owner of the account sees the reason. */
export const bannedRefusal = (reason: string | null): SignInRefused =>
  signInRefused(
    "banned",
    reason === null ? {} : { message: `${signInRefusals.banned} The reason given: ${reason}` },
  );
