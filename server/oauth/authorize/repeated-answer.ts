import { createHmac } from "node:crypto";
import type { Context } from "#server/context";
import { sealWith, unsealWith } from "#server/platform/keyring";
import { secondMs } from "#server/platform/time";
import { findCode } from "../grants/store";
import type { Decision } from "./decide-request";
import { findOwnRequest } from "./pending-authorization";

/** A second tap, or a browser that sends the form again on a slow line. */
const repeatedWithin = 10 * secondMs;

/** We store nothing of the browser id but a hash, so neither we nor a copy of the database can open what is sealed. */
const keyFrom = (browserId: string): Uint8Array =>
  createHmac("sha256", browserId).update("adjutant authorization answer").digest();

const boundTo = ({ requestId, user, decision, until, ticked = [] }: Decision): string =>
  JSON.stringify([requestId, user.sessionHash, decision, until, [...ticked].sort()]);

/** Seals the address of an answer for the same answer by the same session of the same browser. */
export const sealAnswer = (decision: Decision, location: string): string =>
  sealWith(keyFrom(decision.browserId ?? ""), location, boundTo(decision));

/**
 * The address of an answer that was given a moment ago and is given again. A code that was used is not handed out twice: that would
 * end its grant.
 * @returns undefined for another answer, a late one, and one whose code was used
 */
export async function findSameAnswer(
  ctx: Context,
  decision: Decision,
): Promise<string | undefined> {
  const { sealedAnswer, decidedAt } = await findOwnRequest(ctx, decision);
  if (!sealedAnswer || !decidedAt || ctx.now().getTime() - decidedAt.getTime() > repeatedWithin)
    return undefined;
  const location = unsealed(sealedAnswer, decision);
  if (location === undefined) return undefined;
  const code = new URL(location).searchParams.get("code");
  if (code === null) return location;
  const hashes = ctx.keyring.hmacs("token", code).map(({ hash }) => hash);
  const stored = await findCode(ctx.database.query, hashes);
  return stored?.consumedAt === null ? location : undefined;
}

function unsealed(sealed: string, decision: Decision): string | undefined {
  try {
    return unsealWith(keyFrom(decision.browserId ?? ""), sealed, boundTo(decision));
  } catch {
    return undefined;
  }
}
