import type { Keyring } from "#server/platform/crypto/keyring";
import { isSecretText, type SecretKind, secretKinds } from "#server/platform/crypto/secret-text";

/** What stands in a pasted text in place of a secret of this service. */
export interface MaskedSecret {
  readonly kind: SecretKind;
  /** What it may be stored under; empty where its checksum says that it is mistyped or cut off. */
  readonly hashes: readonly string[];
}

const kinds = Object.entries(secretKinds) as [SecretKind, string][];
const kindOf = (sign: string | undefined): SecretKind | undefined => kinds.find(([, each]) => each === sign)?.[0];

const ours = /\badj_(at|rt|ac|cs)_[0-9A-Za-z]*/g;
const masked = /\badj_(at|rt|ac|cs)_masked:([\w,-]*)/;
/** Credentials of a header or of `curl -u` and its like that this service did not make, or that are encoded. */
const foreign = /\b(basic|bearer)\s+(?!adj_)[\w.~+/=-]+/gi;

/**
 * Replaces each secret in what somebody pasted by its hashes, so that the text may stand in an address: the doctor finds a token
 * by them, and nobody else can use them.
 */
export const maskSecrets = (keyring: Keyring, text: string): string =>
  text
    .replace(ours, (secret, sign: string) => {
      const kind = kindOf(sign);
      if (!kind || secret === `adj_${sign}_masked`) return secret;
      const hashes = isSecretText(kind, secret) ? keyring.hmacs("token", secret).map(({ hash }) => hash) : [];
      return `adj_${sign}_masked:${hashes.join(",")}`;
    })
    .replace(foreign, "$1 masked");

/** The first masked secret in the text. */
export function readMaskedSecret(text: string): MaskedSecret | undefined {
  const [, sign, hashes] = masked.exec(text) ?? [];
  const kind = kindOf(sign);
  return kind && { kind, hashes: hashes ? hashes.split(",") : [] };
}
