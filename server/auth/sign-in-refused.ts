/** Why a sign-in was refused, and what the sign-in page says of it. The words are part of addresses: /sign-in?error=<word>. */
export const signInRefusals = {
  malformed: "That is not the form of a game key: it has exactly 16 letters and digits. Copy it once more.",
  "wrong-key":
    "The game does not know this key. It may have been deleted or replaced: create a new one in the game's settings.",
  "key-paused": "This key is paused. Resume it in the game's settings, or use another one.",
  "key-just-changed": "This key was changed less than a minute ago. Wait a minute and try again.",
  "owner-unavailable":
    "The game does not answer for this key at the moment: its owner is in federal jail, or was away for over a week.",
  "key-insufficient":
    "This key may read too little. Use a key of the level Public Only or higher, or a custom key that may read the user selections profile, discord and faction.",
  banned: "This account is banned from Adjutant.",
  throttled: "Too many failed sign-ins. Wait a minute and try again.",
  "game-unavailable":
    "The game could not be asked whose key this is. That is not the key's fault: try again in a few minutes.",
} as const;

export type SignInRefusal = keyof typeof signInRefusals;

export const isSignInRefusal = (word: string): word is SignInRefusal => Object.hasOwn(signInRefusals, word);

const brand = Symbol.for("adjutant.sign-in-refused");

export interface SignInRefused extends Error {
  readonly reason: SignInRefusal;
  /** Seconds after which a further try makes sense, where that is known. */
  readonly retryAfter: number | undefined;
}

/** A refused sign-in, ready to be thrown. Its message is the public sentence; it never carries the key. */
export function signInRefused(
  reason: SignInRefusal,
  why: { retryAfter?: number; cause?: unknown } = {},
): SignInRefused {
  const error = new Error(signInRefusals[reason], { cause: why.cause });
  return Object.assign(error, { name: "SignInRefused", [brand]: true, reason, retryAfter: why.retryAfter });
}

/** Told apart by brand: two copies of this module live in one process. */
export const isSignInRefused = (thrown: unknown): thrown is SignInRefused =>
  typeof thrown === "object" && thrown !== null && brand in thrown;
