import type { Queryable } from "#db/client";
import type { Context } from "../../context";
import { mintSecret } from "../../platform/crypto/secret-text";
import type { SecretInput } from "./contract";
import { endOfSecret } from "./secrets/lifetime";
import { insertSecret } from "./secrets/store";

/** A new secret: its value is known here and now, and never again. */
export interface NewSecret {
  readonly secretId: string;
  readonly secret: string;
}

/** Mints a secret for an application and stores its hash. */
export async function addSecret(
  ctx: Context,
  tx: Queryable,
  { clientId, name, livesDays }: SecretInput & { readonly clientId: string },
): Promise<NewSecret> {
  const createdAt = ctx.now();
  const expiresAt = endOfSecret(createdAt, livesDays);
  const secret = mintSecret("clientSecret", ctx.ids.bytes);
  const secretId = ctx.ids.uuid();
  const print = ctx.keyring.fingerprint("client-secret", secret);
  await insertSecret(tx, { clientId, name, id: secretId, createdAt, expiresAt, lastUsedAt: null, print });
  return { secretId, secret };
}
