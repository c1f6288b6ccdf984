import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { GeneralError } from "#server/failures";
import { type Attempt, failureSentences, type Phases, shownFailure } from "./attempt";
import { openSecrets } from "./endpoint";
import {
  assertCanSign,
  type EndpointKey,
  enableEndpoint,
  findOwnEndpoint,
  noteAct,
  requireOwnEndpoint,
} from "./endpoint-acts";
import { chargeAttempt } from "./rate";
import { forgeWebhook, signWebhook } from "./signature";

/** An attempt as developers see it. */
export interface AttemptView {
  readonly status: number | null;
  /** Why there was no answer. */
  readonly failure: string | null;
  readonly phases: Phases;
  /** The first characters of the answer's body. */
  readonly excerpt: string | null;
}

export const viewAttempt = (attempt: Attempt): AttemptView =>
  "failure" in attempt
    ? { status: null, failure: failureSentences[shownFailure(attempt.failure)], phases: attempt.phases, excerpt: null }
    : { status: attempt.status, failure: null, phases: attempt.phases, excerpt: attempt.excerpt };

/** What came of a verification. `why` says what to do; the attempts are those that were made. */
export type Verification =
  | { readonly outcome: "verified"; readonly signed: AttemptView; readonly forged: AttemptView }
  | {
      readonly outcome: "refused";
      readonly why: string;
      readonly signed: AttemptView;
      readonly forged: AttemptView | null;
    };

const codeBytes = 18;
const isGood = ({ status }: AttemptView) => status !== null && status >= 200 && status < 300;

/**
 * Asks an endpoint for proof that it is the developer's and verifies signatures: the code of a signed `endpoint.verify` must come back in
 * the answer's body, and a forged request must not be answered with 2xx. It is enabled then; where it was verified before, it goes on
 * from where it stopped.
 * @throws UnknownOAuthClient · UnknownElement · TooManyRequests
 */
export async function verifyEndpoint(
  ctx: Context,
  user: PortalUser,
  key: EndpointKey,
  origin: Origin,
): Promise<Verification> {
  const endpoint = await findOwnEndpoint(ctx, user, key);
  assertCanSign(ctx, endpoint);
  await chargeAttempt(ctx, user);
  const { url } = endpoint;
  const message = () => {
    const id = `evt_${Buffer.from(ctx.ids.bytes(codeBytes)).toString("base64url")}`;
    const code = Buffer.from(ctx.ids.bytes(codeBytes)).toString("base64url");
    const body = JSON.stringify({ id, type: "endpoint.verify", timestamp: ctx.now().toISOString(), data: { code } });
    return { id, body, code };
  };
  const real = message();
  const signed = viewAttempt(
    await ctx.sendWebhook({
      ...{ url, body: real.body },
      headers: () => signWebhook(real, ctx.now(), openSecrets(ctx, endpoint, ctx.now())),
    }),
  );
  const refuse = async (why: string, forged: AttemptView | null): Promise<Verification> => {
    const act = "webhook-verification-failed" as const;
    await ctx.database.transaction((tx) => noteAct(ctx, tx, { user, key, act, origin, details: { url, why } }));
    return { outcome: "refused", why, signed, forged };
  };
  if (signed.failure !== null) return refuse(signed.failure, null);
  if (!isGood(signed))
    return refuse(`The signed request was answered with ${signed.status}. Answer it with 200.`, null);
  if (!signed.excerpt?.includes(real.code))
    return refuse("The answer did not contain the code. Send `data.code` back in the body of the answer.", null);

  const fake = message();
  const forged = viewAttempt(
    await ctx.sendWebhook({ url, body: fake.body, headers: () => forgeWebhook(fake, ctx.now(), ctx.ids.bytes) }),
  );
  if (forged.failure !== null) return refuse(forged.failure, forged);
  if (isGood(forged))
    return refuse(
      "A request with a wrong signature was accepted. Check the signature, and answer 401 where it is wrong.",
      forged,
    );
  await ctx.database.transaction(async (tx) => {
    const now = await requireOwnEndpoint(tx, user, key);
    if (now.url !== url) throw GeneralError.because({ message: "The URL changed meanwhile. Verify it again." });
    if (now.state === "unverified") await enableEndpoint(ctx, tx, now, now.verifiedAt ? "stopped" : "now");
    await noteAct(ctx, tx, { user, key, act: "webhook-verified", origin, details: { url } });
  });
  return { outcome: "verified", signed, forged };
}
