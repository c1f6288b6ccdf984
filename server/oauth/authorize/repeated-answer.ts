import { createHmac } from "node:crypto";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { sealWith, unsealWith } from "#server/platform/keyring";
import { secondMs } from "#server/platform/time";
import { findCode } from "../grants/store";
import { findOwnRequest } from "./pending-authorization";

interface SentAnswer {
  readonly requestId: string;
  readonly browserId: string | null;
  readonly decision: "approve" | "deny";
  readonly until?: string | undefined;
  readonly ticked?: readonly string[] | undefined;
}

type Session = Pick<PortalUser, "sessionHash">;

/** A second tap, or a browser that resends the form on a slow line. */
const repeatedWithin = 10 * secondMs;

/** Only a hash of the browser id is stored, so a copy of the database cannot open the seal. */
const keyFrom = (browserId: string): Uint8Array =>
  createHmac("sha256", browserId).update("adjutant authorization answer").digest();

const boundTo = (
  { sessionHash }: Session,
  { requestId, decision, until, ticked = [] }: SentAnswer,
): string => JSON.stringify([requestId, sessionHash, decision, until, [...ticked].sort()]);

export const sealAnswer = (by: Session, sent: SentAnswer, location: string): string =>
  sealWith(keyFrom(sent.browserId ?? ""), location, boundTo(by, sent));

/** A used code is not repeated, because a second use would end its grant. */
export async function findSameAnswer(
  ctx: Context,
  by: Session,
  sent: SentAnswer,
): Promise<string | undefined> {
  const { sealedAnswer, decidedAt } = await findOwnRequest(ctx, sent);
  if (!sealedAnswer || !decidedAt || ctx.now().getTime() - decidedAt.getTime() > repeatedWithin)
    return undefined;
  const location = unsealed(by, sent, sealedAnswer);
  if (location === undefined) return undefined;
  const code = new URL(location).searchParams.get("code");
  if (code === null) return location;
  const hashes = ctx.keyring.hmacs("token", code).map(({ hash }) => hash);
  const stored = await findCode(ctx.database.query, hashes);
  return stored?.consumedAt === null ? location : undefined;
}

function unsealed(by: Session, sent: SentAnswer, sealed: string): string | undefined {
  try {
    return unsealWith(keyFrom(sent.browserId ?? ""), sealed, boundTo(by, sent));
  } catch {
    return undefined;
  }
}
