import type { z } from "zod";
import { ServiceUnavailable } from "#server/failures";
import { readJson } from "#server/platform/exact-json";
import { readLimitedText } from "#server/platform/limited-text";
import { hourMs, secondMs } from "#server/platform/time";
import { createTtlCache } from "#server/platform/ttl-cache";
import {
  type Fetch,
  isUpstreamError,
  type UpstreamError,
  upstreamError,
} from "#server/platform/upstream";
import { within } from "#server/platform/within";

/**
 * "gone": the target does not exist. "forbidden": a retry changes nothing. "refused": the call is
 * invalid. "retry": a later call may succeed.
 */
type ChatFailureKind = "gone" | "forbidden" | "refused" | "retry";

/** Holds neither the bot's token nor the sent body. */
export type ChatFailure = UpstreamError & {
  readonly upstream: "chat";
  readonly kind: ChatFailureKind;
};

export function chatFailure(of: {
  kind: ChatFailureKind;
  detail: string;
  retryAfter?: number;
}): ChatFailure {
  const { kind, detail, ...more } = of;
  return upstreamError(detail, {
    name: "ChatFailure",
    upstream: "chat",
    kind,
    ...more,
  }) as ChatFailure;
}

export const isChatFailure = (thrown: unknown): thrown is ChatFailure =>
  isUpstreamError(thrown, "chat");

export function nullOnChatFailure(thrown: unknown): null {
  if (!isChatFailure(thrown)) throw thrown;
  return null;
}

export const publicChatError = (thrown: unknown): unknown =>
  isChatFailure(thrown)
    ? ServiceUnavailable.because({
        message: "The chat does not answer. Try again in a minute.",
        cause: thrown,
      })
    : thrown;

export interface ChatTransportOptions {
  readonly baseUrl: string;
  readonly token: string;
  readonly fetch: Fetch;
  readonly now: () => Date;
  /** Milliseconds, body included. */
  readonly timeoutMs: number;
}

/** A page of a thousand members is under a megabyte. */
const largestAnswer = 4 * 1_024 * 1_024;
/** Seconds, for a 429 without a wait time. */
const usualWait = 5;
const leastWait = 0.5;

/** A refusal without a code comes from a proxy in front of the API, and is temporary. */
const kindOf = (status: number, code: number | undefined): ChatFailureKind =>
  (status === 403 || status === 404) && code === undefined
    ? "retry"
    : status === 404
      ? "gone"
      : status === 403
        ? "forbidden"
        : status === 401 || status === 408 || status === 429 || status >= 500
          ? "retry"
          : "refused";

const mostBuckets = 10_000;

/** Channels and servers have separate rate limits. */
const bucketOf = (path: string): string => path.split("/").slice(0, 2).join("/");

/** Throws only `ChatFailure`. After a 429, calls of the same bucket fail until the wait ends. */
export function createChatTransport({
  baseUrl,
  token,
  fetch,
  now,
  timeoutMs,
}: ChatTransportOptions) {
  const base = baseUrl.replace(/\/+$/, "");
  const everywhere = "*";
  /** Ends of waits, in milliseconds since 1970. */
  const waits = createTtlCache<string, number>({ now, ttl: hourMs, most: mostBuckets });

  const secondsToWait = (path: string): number => {
    const until = Math.max(waits.get(everywhere) ?? 0, waits.get(bucketOf(path)) ?? 0);
    return Math.max(0, until - now().getTime()) / secondMs;
  };

  return async function call<Schema extends z.ZodType>(
    method: "GET" | "POST" | "PATCH" | "PUT",
    path: string,
    schema: Schema,
    body?: object,
  ): Promise<z.output<Schema>> {
    const what = `${method} ${withoutSecret(path)}`;
    const early = secondsToWait(path);
    if (early > 0)
      throw chatFailure({ kind: "retry", detail: `${what}: told to wait`, retryAfter: early });

    const exchange = async (signal: AbortSignal) => {
      const response = await fetch(request, { signal });
      return { response, text: await readLimitedText(response, largestAnswer) };
    };
    const request = new Request(`${base}/${path}`, {
      method,
      headers: {
        authorization: `Bot ${token}`,
        "user-agent": "DiscordBot (Adjutant, 1)",
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: "manual",
    });
    const { response, text } = await within(timeoutMs, exchange).catch(() => {
      throw chatFailure({ kind: "retry", detail: `${what}: no answer` });
    });
    const answer = readJson(text);
    if (response.status === 429) {
      const { seconds, global } = askedToWait(response, answer);
      const until = now().getTime() + seconds * secondMs;
      waits.set(global ? everywhere : bucketOf(path), until, until);
      throw chatFailure({ kind: "retry", detail: `${what}: HTTP 429`, retryAfter: seconds });
    }
    if (!response.ok) {
      const code = numberOf(answer, "code");
      const detail = `${what}: HTTP ${response.status}${code ? `, code ${code}` : ""}`;
      throw chatFailure({ kind: kindOf(response.status, code), detail });
    }
    const parsed = schema.safeParse(answer);
    if (parsed.success) return parsed.data;
    throw chatFailure({ kind: "retry", detail: `${what}: an answer that we do not understand` });
  };
}

/** The path has the interaction's token, which must not reach a log. */
const withoutSecret = (path: string): string => path.replace(/^(webhooks\/\d+)\/[^/]+/, "$1/…");

function numberOf(answer: unknown, name: string): number | undefined {
  const value =
    typeof answer === "object" && answer !== null ? Reflect.get(answer, name) : undefined;
  return typeof value === "number" && value >= 0 ? value : undefined;
}

/** The body's `retry_after` is exact; a proxy sends only the header, in whole seconds. */
function askedToWait(response: Response, answer: unknown): { seconds: number; global: boolean } {
  const header = Number(response.headers.get("retry-after"));
  const seconds = Math.max(
    leastWait,
    numberOf(answer, "retry_after") ?? (header > 0 ? header : usualWait),
  );
  const body =
    typeof answer === "object" && answer !== null ? Reflect.get(answer, "global") : undefined;
  return {
    seconds,
    global: body === true || response.headers.get("x-ratelimit-global") === "true",
  };
}
