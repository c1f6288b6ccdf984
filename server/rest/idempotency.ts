import { hash } from "node:crypto";
import { z } from "zod";
import { isConnectionFailure } from "#db/error-codes";
import { failureOf } from "#server/failure-of";
import { type Failure, IdempotencyConflict, TooManyRequests } from "#server/failures";
import { serializeError } from "#server/platform/errors";
import { writeSorted } from "#server/platform/exact-json";
import { secondMs } from "#server/platform/time";
import { readJson } from "./read-input";
import type { RequestContext } from "./request-context";
import { badFields, failureResult, type HttpResult } from "./respond";
import {
  claimIdempotencyKey,
  forgetIdempotencyKey,
  type IdempotencyRecord,
  idempotencySeconds,
  keepIdempotentAnswer,
} from "./store";

const header = "Idempotency-Key";
export const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/;

/**
 * A repeated request gets the stored answer, unless that was a 429 or 5xx. A crash leaves the key
 * taken, because the work may be done.
 * @throws IdempotencyConflict
 */
export async function onlyOnce(
  call: RequestContext,
  body: string,
  work: () => Promise<HttpResult>,
): Promise<HttpResult> {
  const key = call.request.headers.get(header);
  const { ctx, actor, at } = call;
  if (key === null || !actor) return work();
  if (!idempotencyKeyPattern.test(key))
    throw badFields([
      { field: header, message: "must be 1 to 255 printable ASCII characters without spaces" },
    ]);

  const owner = { accountId: actor.accountId, clientId: actor.clientId, key };
  const request = `${call.request.method} ${call.pathname}\n${canonicalBody(body)}`;
  const requestHash = hash("sha256", request, "base64url");
  const since = new Date(at.getTime() - idempotencySeconds * secondMs);
  const earlier = await claimIdempotencyKey(ctx.database.query, owner, {
    requestHash,
    now: at,
    since,
  });
  if (earlier) return repeat(earlier, requestHash);

  const answer = await work().catch((thrown: unknown) => thrown);
  // The work may be committed, so the key stays taken.
  if (isConnectionFailure(answer)) throw answer;
  const cached = isHttpResult(answer) ? answer : failureResult(failureOf(answer));
  await (cached.status < 500 && cached.status !== TooManyRequests.status
    ? keepIdempotentAnswer(ctx.database.query, owner, cached)
    : forgetIdempotencyKey(ctx.database.query, owner)
  ).catch((error: unknown) => {
    ctx.log.warn(
      { requestId: call.requestId, error: serializeError(error) },
      "an answer could not be cached",
    );
  });
  if (isHttpResult(answer)) return answer;
  throw answer;
}

/** A retry may order, space or escape the body differently. */
function canonicalBody(text: string): string {
  const read = text === "" ? undefined : readJson(text);
  return read && "value" in read ? writeSorted(read.value) : text;
}

const isHttpResult = (value: unknown): value is HttpResult =>
  typeof value === "object" &&
  value !== null &&
  "status" in value &&
  "body" in value &&
  "failureCode" in value;

function repeat(earlier: IdempotencyRecord, requestHash: string): HttpResult {
  if (earlier.requestHash !== requestHash)
    throw conflict("The Idempotency-Key was used for another request.");
  if (earlier.status === null)
    throw conflict("The first request with this Idempotency-Key is still running.");
  const failureCode = earlier.status < 400 ? null : codeIn(earlier.body);
  return { status: earlier.status, headers: {}, body: earlier.body, failureCode };
}

const conflict = (message: string): Failure => IdempotencyConflict.because({ message });

function codeIn(body: string | null): number | null {
  const parsed = z.object({ code: z.int() }).safeParse(JSON.parse(body ?? "null"));
  return parsed.success ? parsed.data.code : null;
}
