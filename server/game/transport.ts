import type { z } from "zod";
import { readJson } from "#server/platform/exact-json";
import { decodeUtf8, readLimitedBytes } from "#server/platform/limited-text";
import type { Log } from "#server/platform/log";
import type { Metrics } from "#server/platform/metrics";
import { secondMs, toUnixSeconds } from "#server/platform/time";
import { type Fetch, networkCode } from "#server/platform/upstream";
import { isTimeout, within } from "#server/platform/within";
import { createBreaker } from "./breaker";
import type { AddressBudget } from "./budget";
import { GameErrorBody } from "./contract/fields";
import { createUnreadableWatch, describeIssue } from "./contract/rows";
import {
  type GameCallErrorKind,
  gameCallError,
  gameCallErrorKinds,
  isGameCallError,
  isOutage,
  kindOfGameCode,
} from "./game-call-error";
import { createKeyBackoff } from "./key-backoff";

export interface GameTransportOptions {
  /** Includes the version: `https://host/v2`. */
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly now: () => Date;
  /** The game's front door rejects the default user agents of libraries. */
  readonly userAgent?: string;
  /** Milliseconds for one call, body included. */
  readonly timeoutMs?: number | undefined;
  readonly address?: AddressBudget;
  readonly log?: Pick<Log, "info" | "warn" | "error">;
  readonly metrics?: Pick<Metrics, "gameCalls" | "gameRows">;
}

type Query = Readonly<Record<string, string | number | Date | undefined>>;

interface Ask<Schema extends z.ZodType> {
  readonly key: string;
  readonly schema: Schema;
  readonly query?: Query;
  readonly leastTimeoutMs?: number;
}

/** Milliseconds. Most answers have a few kB. */
const usualTimeoutMs = 6_000;

/** Shown in the key owner's usage log, which has room for ten characters. */
const comment = "adjutant";

/** The list of all items has about a megabyte. */
const maxAnswerBytes = 5 * 1024 * 1024;

export const isGameKey = (text: string): boolean => /^[A-Za-z0-9]{16}$/.test(text);

const whoseKey = "key/info";

/** The game's front door sends 429 for an address and 403 for a single call. */
function kindOfStatus(status: number): GameCallErrorKind | null {
  if (status === 200) return null;
  if (status === 429) return "ip-block";
  if (status === 403) return "front-refusal";
  return status >= 500 ? "server-side" : "unexpected-answer";
}

function readRetryAfter(response: Response): number | undefined {
  const text = response.headers.get("retry-after") ?? "";
  return /^[0-9]{1,6}$/.test(text) ? Number(text) : undefined;
}

async function readText(response: Response): Promise<string | null> {
  const bytes = await readLimitedBytes(response.body, maxAnswerBytes);
  return (bytes && decodeUtf8(bytes)) ?? null;
}

/** Drops ids, because the game's limits are per selection. */
const selectionOf = (path: string, { selections }: Query) =>
  selections === undefined ? path.replace(/\/[0-9]+\//, "/") : `${path}/${selections}`;

const namesNobody = (path: string, { id }: Query) =>
  /^[a-z]+\/(?![1-9][0-9]*\/)[^/]*\//.test(path) ||
  (id !== undefined && !/^[1-9][0-9]*$/.test(String(id)));

const textOf = (value: string | number | Date): string =>
  String(value instanceof Date ? toUnixSeconds(value) : value);

function readAnswer<Schema extends z.ZodType>(
  { response, text }: { response: Response; text: string | null },
  { path, schema }: { path: string; schema: Schema },
): z.output<Schema> {
  // The game never sends U+0000, which databases reject.
  const answer = text === null || text.includes("\\u0000") ? undefined : readJson(text);
  const failure = GameErrorBody.safeParse(answer);
  const gameCode = failure.success ? failure.data.code : undefined;
  const kind = gameCode === undefined ? kindOfStatus(response.status) : kindOfGameCode(gameCode);
  if (kind) {
    const retryAfter = readRetryAfter(response) ?? gameCallErrorKinds[kind].wait;
    const what =
      gameCode === undefined ? `HTTP ${response.status}` : `the game answered code ${gameCode}`;
    throw gameCallError({ kind, gameCode, retryAfter, detail: `${path}: ${what}` });
  }
  if (answer === undefined)
    throw gameCallError({ kind: "unexpected-answer", detail: `${path}: ${notJson}` });
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.slice(0, 3).map(describeIssue);
  throw gameCallError({ kind: "unexpected-answer", detail: `${path}: ${where.join(", ")}` });
}

const notJson = "not JSON, not text, or too long";

/**
 * `get` throws only `GameCallError`. The key is sent only in a header, never to a redirect's
 * target. An open breaker or a key in backoff fails a call without the network.
 */
export function createGameTransport(options: GameTransportOptions) {
  const { fetch, now, userAgent = "adjutant", timeoutMs = usualTimeoutMs } = options;
  const { address, log, metrics } = options;
  const breaker = createBreaker({
    now,
    onChange: ({ open, ...why }) =>
      open
        ? log?.error(why, "the game is away: no calls for a while")
        : log?.info({}, "the game answers again"),
  });
  const rests = createKeyBackoff(now);
  const watchRows = createUnreadableWatch({ now, log, metrics });
  const base = options.baseUrl.replace(/\/+$/, "");
  const exchange = async (path: string, url: URL, key: string, signal: AbortSignal) => {
    const request = new Request(url, {
      headers: {
        authorization: `ApiKey ${key}`,
        accept: "application/json",
        "user-agent": userAgent,
      },
      redirect: "manual",
    });
    try {
      const response = await fetch(request, { signal });
      return { response, text: await readText(response) };
    } catch (error) {
      const code = networkCode(error);
      // A body that does not match its content encoding is not the game's.
      const kind = code.startsWith("Z_") ? "unexpected-answer" : "network";
      throw gameCallError({ kind, detail: `${path}: ${code}` });
    }
  };

  async function get<Schema extends z.ZodType>(
    path: string,
    ask: Ask<Schema>,
  ): Promise<z.output<Schema>> {
    const { query = {}, leastTimeoutMs = 0 } = ask;
    const longest = Math.max(timeoutMs, leastTimeoutMs);
    const selection = selectionOf(path, query);
    // Bad keys count towards a block of our address, and the error of Headers for a line break
    // would quote the key.
    if (!isGameKey(ask.key))
      throw gameCallError({
        kind: "key-dead",
        selection,
        detail: `${path}: not the form of a key`,
      });
    if (namesNobody(path, query))
      throw gameCallError({ kind: "unknown-id", selection, detail: `${selection}: no such id` });
    const resting = rests.refusal(ask.key, selection);
    if (resting) throw resting;
    const url = new URL(`${base}/${path}`);
    for (const [name, value] of Object.entries({ ...query, comment }))
      if (value !== undefined) url.searchParams.set(name, textOf(value));

    const away = breaker.refusal();
    if (away) throw away;
    await address?.take(selection === whoseKey ? "whose-key" : "usual");
    const permit = breaker.pass();
    const begun = performance.now();
    const observe = (outcome: string) =>
      metrics?.gameCalls.labels(outcome).observe((performance.now() - begun) / secondMs);
    try {
      const received = await within(longest, (signal) =>
        exchange(path, url, ask.key, signal),
      ).catch((error: unknown) => {
        throw isTimeout(error)
          ? gameCallError({
              kind: "timeout",
              detail: `${path}: no answer within ${longest} ms`,
            })
          : error;
      });
      const answer = readAnswer(received, { path, schema: ask.schema });
      permit.succeeded();
      observe("ok");
      watchRows(selection, answer);
      rests.answered(ask.key, selection);
      return answer;
    } catch (error) {
      const kind = isGameCallError(error) ? error.kind : "unexpected-answer";
      const retryAfter = isGameCallError(error) ? error.retryAfter : undefined;
      observe(kind);
      if (isOutage(kind)) permit.failed(kind, retryAfter);
      else if (kind === "unexpected-answer") {
        permit.unclear(kind);
        metrics?.gameRows.labels(selection, "unreadable").inc();
      } else permit.succeeded();
      rests.note(ask.key, selection, kind);
      // The game's block applies to all processes; a block by the front door may not.
      if (kind === "ip-block" && isGameCallError(error) && error.gameCode !== undefined)
        await address?.exhaust().catch(() => undefined);
      const rest = kind === "daily-limit" ? rests.refusal(ask.key, selection) : undefined;
      throw Object.assign(error as Error, {
        selection,
        ...(rest && { retryAfter: rest.retryAfter }),
      });
    }
  }

  return {
    get,
    upstream: breaker.state,
    /**
     * The error of a call while the game is unavailable, to be checked before charging a budget.
     */
    refusal: () => breaker.refusal() ?? address?.refusal(),
    restOf: rests.of,
  };
}
