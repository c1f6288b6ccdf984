import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { GeneralError } from "#server/failures";
import { nameOfPlayer } from "#server/users/accounts/name-of-player";
import { qrCode } from "./qr-code";
import { putUnconfirmed } from "./store";
import { mintTotpSecret, totpUri } from "./totp";

/** What goes into the authenticator app. Shown once. */
export interface NewSecondFactor {
  /** Base32, for typing. */
  readonly secret: string;
  /** The same as a Key URI, for apps on this very device. */
  readonly uri: string;
  /** The same as an image. */
  readonly qrCode: string;
}

/**
 * Makes a new secret for the user's authenticator app. It asks for nothing until a first right code confirmed it; an
 * unconfirmed one before it is forgotten. Wants a confirmation, which the caller checks.
 * @throws GeneralError where a second factor is on already
 */
export async function beginSecondFactor(ctx: Context, user: PortalUser): Promise<NewSecondFactor> {
  const { accountId, playerId } = user;
  const name = await nameOfPlayer(ctx, playerId);
  const secret = mintTotpSecret(ctx.ids.bytes);
  const sealed = ctx.keyring.seal("second-factor", secret, accountId);
  if (!(await putUnconfirmed(ctx.database.query, { accountId, sealed, createdAt: ctx.now() })))
    throw GeneralError.because({
      message: "The second factor is on already. Turn it off first to set up another app.",
    });
  const uri = totpUri(secret, `${name} [${playerId}]`);
  return { secret, uri, qrCode: qrCode(uri) };
}
