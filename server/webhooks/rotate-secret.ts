import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { GeneralError } from "#server/failures";
import { dayMs } from "#server/platform/durations";
import type { RotationInput } from "./contract";
import { hasPrevious, isSecretLost, sealSecret } from "./endpoint";
import { type EndpointKey, noteAct, requireOwnEndpoint } from "./endpoint-acts";
import { updateEndpoint } from "./endpoint-store";
import { mintWebhookSecret } from "./signature";

/**
 * Gives an endpoint a new secret, which signs first from now on; the old one signs second for as many days as the developer wants.
 * A secret that leaked, or that can be read no more, ends at once, and so does one before it. Wants a confirmation, which the caller checks.
 * @returns the new secret, this once, and until when the old one signs
 * @throws UnknownOAuthClient · UnknownElement · GeneralError while two secrets sign
 */
export async function rotateSecret(
  ctx: Context,
  user: PortalUser,
  rotation: EndpointKey & RotationInput,
  origin: Origin,
): Promise<{ readonly secret: string; readonly previousUntil: Date | null }> {
  const { keepDays, leaked } = rotation;
  return ctx.database.transaction(async (tx) => {
    const endpoint = await requireOwnEndpoint(tx, user, rotation);
    const now = ctx.now();
    const lost = isSecretLost(ctx, endpoint);
    if (!leaked && !lost && hasPrevious(endpoint, now))
      throw GeneralError.because({
        message: "Two secrets sign already. Wait until the old one ends, or end it at once because it leaked.",
      });
    const secret = mintWebhookSecret(ctx.ids.bytes);
    const keeps = !leaked && !lost && keepDays > 0;
    const previousUntil = keeps ? new Date(now.getTime() + keepDays * dayMs) : null;
    await updateEndpoint(tx, endpoint.id, {
      ...{ secret: sealSecret(ctx, secret, endpoint.id), secretSince: now },
      ...{ previousSecret: keeps ? endpoint.secret : null, previousUntil },
    });
    const details = { keepDays: keeps ? keepDays : 0, leaked };
    await noteAct(ctx, tx, { user, key: rotation, act: "webhook-secret-rotated", origin, details });
    return { secret, previousUntil };
  });
}
