import { hash } from "node:crypto";
import { z } from "zod";
import { isBroken } from "#db/error-codes";
import { failureOf } from "#server/failure-of";
import { type Failure, IdempotencyConflict, TooManyRequests } from "#server/failures";
import { describeError } from "#server/platform/errors";
import { secondMs } from "#server/platform/time";
import { readJson } from "./read-input";
import type { RequestContext } from "./request-context";
import { badFields, failureResult, type HttpResult } from "./respond";
import {
  claimIdempotencyKey,
  forgetIdempotencyKey,
  idempotencySeconds,
  keepIdempotentAnswer,
} from "./store";

const header = "Idempotency-Key";
/** Printable ASCII, for logs. */
export const idempotencyKey = /^[\x21-\x7e]{1,255}$/;

/**
 * Repeats get the stored answer, refusals included, but not 429 and 5xx. A crash leaves the key
 * taken, because the work may be done.
 * @throws IdempotencyConflict for a different request, or while the first is running
 */
export async function onlyOnce(
  call: RequestContext,
  body: string,
  work: () => Promise<HttpResult>,
): Promise<HttpResult> {
  const key = call.request.headers.get(header);
  const { ctx, actor, at } = call;
  if (key === null || !actor) return work();
  if (!idempotencyKey.test(key))
    throw badFields([
      { field: header, message: "must be 1 to 255 printable ASCII characters without spaces" },
    ]);

  const owner = { accountId: actor.accountId, clientId: actor.clientId, key };
  const hashOf = (text: string) =>
    hash("sha256", `${call.request.method} ${call.pathname}\n${text}`, "base64url");
  const requestHash = hashOf(canonicalBody(body));
  const since = new Date(at.getTime() - idempotencySeconds * secondMs);
  const earlier = await claimIdempotencyKey(ctx.database.query, owner, {
    requestHash,
    now: at,
    since,
  });
  // Release 0.1 stored the hash of the raw body.
  if (earlier) return repeat(earlier, [requestHash, hashOf(body)]);

  const answer = await work().catch((thrown: unknown) => thrown);
  // The connection broke: the work may be committed, so the key stays taken.
  if (isBroken(answer)) throw answer;
  const cached = isHttpResult(answer) ? answer : failureResult(failureOf(answer));
  await (cached.status < 500 && cached.status !== TooManyRequests.status
    ? keepIdempotentAnswer(ctx.database.query, owner, cached)
    : forgetIdempotencyKey(ctx.database.query, owner)
  ).catch((error: unknown) => {
    ctx.log.warn(
      { requestId: call.requestId, error: describeError(error) },
      "an answer could not be cached",
    );
  });
  if (isHttpResult(answer)) return answer;
  throw answer;
}

/** Canonical form, because a retry may order, space or escape the body differently. */
function canonicalBody(text: string): string {
  const read = text === "" ? undefined : readJson(text);
  return read && "value" in read ? canonical(read.value) : text;
}

/** Sorted names (after RFC 8785), with exact integers. */
function canonical(value: unknown): string {
  if (typeof value === "number")
    return Number.isInteger(value) ? BigInt(value).toString() : String(value);
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(",")}}`;
}

const isHttpResult = (value: unknown): value is HttpResult =>
  typeof value === "object" &&
  value !== null &&
  "status" in value &&
  "body" in value &&
  "failureCode" in value;

interface Earlier {
  readonly requestHash: string;
  readonly status: number | null;
  readonly body: string | null;
}

function repeat(earlier: Earlier, hashes: readonly string[]): HttpResult {
  if (!hashes.includes(earlier.requestHash))
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
