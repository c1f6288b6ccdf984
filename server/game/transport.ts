import type { z } from "zod";
import { parseExact } from "#server/platform/exact-json";
import { readLimitedBytes, utf8 } from "#server/platform/limited-text";
import type { Metrics } from "#server/platform/metrics";
import { secondMs } from "#server/platform/time";
import { type Fetch, networkCode } from "#server/platform/upstream";
import { isTimeout, within } from "#server/platform/within";
import type { Breaker } from "./breaker";
import type { AddressBudget } from "./budget-of-address";
import { GameErrorBody } from "./contract/fields";
import { describeIssue } from "./contract/rows";
import {
  type GameCallErrorKind,
  gameCallError,
  isGameCallError,
  isOutage,
  kindOfGameCode,
} from "./game-call-error";
import type { KeyRests } from "./key-rests";

export interface GameTransportOptions {
  /** With the version: `https://host/v2`. */
  baseUrl: string;
  fetch: Fetch;
  /** Names this product in the key owner's own log of uses; the game shows the first ten characters. */
  comment: string;
  /** Names this product to the game's front door, which turns the defaults of libraries away. */
  userAgent: string;
  breaker: Breaker;
  address?: AddressBudget;
  rests: KeyRests;
  metrics?: Pick<Metrics, "gameCalls" | "gameRows">;
  /** Told of every answer that was read. */
  onRead: (selection: string, answer: unknown) => void;
}

export interface Ask<Schema extends z.ZodType> {
  key: string;
  schema: Schema;
  query?: Record<string, string>;
  /** Milliseconds for the whole call, body included. */
  timeoutMs: number;
}

/** The largest answer that we read: a full faction is under 100 kB, so more than this is not the game speaking. */
const maxAnswerBytes = 5 * 1024 * 1024;

const keyPattern = /^[A-Za-z0-9]{16}$/;

/** Asks whose key it is: what a sign-in begins with. */
const whoseKey = "key/info";

/** The front door says 429 to an address, and 403 to one call that it does not like: other calls may pass. */
function kindOfStatus(status: number): GameCallErrorKind | null {
  if (status === 200) return null;
  if (status === 429) return "ip-block";
  if (status === 403) return "front-refusal";
  return status >= 500 ? "server-side" : "unexpected-answer";
}

function parseJson(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

/** Seconds after which the limit that a kind names is lifted; nobody can know it of other kinds. */
const waits: Readonly<Partial<Record<GameCallErrorKind, number>>> = {
  ...{ "ip-block": 60, "owner-budget": 60, "key-just-changed": 60 },
};

function readRetryAfter(response: Response): number | undefined {
  const text = response.headers.get("retry-after") ?? "";
  return /^[0-9]{1,6}$/.test(text) ? Number(text) : undefined;
}

/** The body as text; null where it is too long or is not UTF-8. */
async function readText(response: Response): Promise<string | null> {
  const bytes = await readLimitedBytes(response.body, maxAnswerBytes);
  return (bytes && utf8(bytes)) ?? null;
}

/** The selection of a call, without ids: limits of the game go by it. */
const selectionOf = (path: string, query: Ask<z.ZodType>["query"]) =>
  query?.selections === undefined ? path.replace(/\/[0-9]+\//, "/") : `${path}/${query.selections}`;

/** Whether there is a place for an id, in the path or beside it, and something in it that is none. */
const namesNobody = (path: string, { id }: NonNullable<Ask<z.ZodType>["query"]> = {}) =>
  /^[a-z]+\/(?![1-9][0-9]*\/)[^/]*\//.test(path) || (id !== undefined && !/^[1-9][0-9]*$/.test(id));

/** Reads an answer as `schema` says. @throws GameCallError for a refusal of the game, and for whatever is not its answer */
function readAnswer<Schema extends z.ZodType>(
  { response, text }: { response: Response; text: string | null },
  { path, schema }: { path: string; schema: Schema },
): z.output<Schema> {
  // No name or text of the game holds U+0000, which no store takes.
  const answer = text === null || text.includes("\\u0000") ? undefined : parseJson(text);
  const failure = GameErrorBody.safeParse(answer);
  const gameCode = failure.success ? failure.data.code : undefined;
  const kind = gameCode === undefined ? kindOfStatus(response.status) : kindOfGameCode(gameCode);
  if (kind) {
    const retryAfter = readRetryAfter(response) ?? waits[kind];
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
 * Makes the one function through which every call to the game goes.
 *
 * `get(path, { key, schema, query })` takes a path below the base URL (`user/123/profile`) and gives the answer as `schema`
 * parsed it. It throws `GameCallError` and nothing else. The key travels in a header alone, and never to a redirect's target.
 * While the breaker is open or the key rests it fails at once, without the network.
 */
export function createGameTransport(options: GameTransportOptions) {
  const { fetch, comment, userAgent, breaker, rests, address } = options;
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
      // A body that is not packed as its header says was not packed by the game.
      const kind = code.startsWith("Z_") ? "unexpected-answer" : "network";
      throw gameCallError({ kind, detail: `${path}: ${code}` });
    }
  };

  return async function get<Schema extends z.ZodType>(
    path: string,
    ask: Ask<Schema>,
  ): Promise<z.output<Schema>> {
    const selection = selectionOf(path, ask.query);
    // Calls with bad keys count towards a block of our address, and a key with a line break would be quoted by Headers.
    if (!keyPattern.test(ask.key))
      throw gameCallError({
        kind: "key-dead",
        selection,
        detail: `${path}: not the form of a key`,
      });
    if (namesNobody(path, ask.query))
      throw gameCallError({ kind: "unknown-id", selection, detail: `${selection}: no such id` });
    const resting = rests.refusal(ask.key, selection);
    if (resting) throw resting;
    const url = new URL(`${base}/${path}`);
    for (const [name, value] of Object.entries({ ...ask.query, comment }))
      url.searchParams.set(name, value);

    // The database is not asked for calls that will not be made.
    const away = breaker.refusal();
    if (away) throw away;
    await address?.take(selection === whoseKey ? "whose-key" : "usual");
    const permit = breaker.pass();
    const begun = performance.now();
    const observe = (outcome: string) =>
      options.metrics?.gameCalls.of(outcome).observe((performance.now() - begun) / secondMs);
    try {
      const received = await within(ask.timeoutMs, (signal) =>
        exchange(path, url, ask.key, signal),
      ).catch((error: unknown) => {
        throw isTimeout(error)
          ? gameCallError({
              kind: "timeout",
              detail: `${path}: no answer within ${ask.timeoutMs} ms`,
            })
          : error;
      });
      const answer = readAnswer(received, { path, schema: ask.schema });
      permit.succeeded();
      observe("ok");
      options.onRead(selection, answer);
      rests.answered(ask.key, selection);
      return answer;
    } catch (error) {
      const kind = isGameCallError(error) ? error.kind : "unexpected-answer";
      const retryAfter = isGameCallError(error) ? error.retryAfter : undefined;
      observe(kind);
      if (isOutage(kind)) permit.failed(kind, retryAfter);
      else if (kind === "unexpected-answer") {
        permit.unclear(kind);
        options.metrics?.gameRows.of(selection, "unreadable").inc();
      } else permit.succeeded();
      rests.note(ask.key, selection, kind);
      // Other processes share the address. Where the front door names a time, each of them may be told one of its own.
      if (kind === "ip-block" && isGameCallError(error) && error.gameCode !== undefined)
        await address?.exhaust().catch(() => undefined);
      const rest = kind === "daily-limit" ? rests.refusal(ask.key, selection) : undefined;
      throw Object.assign(error as Error, {
        selection,
        ...(rest && { retryAfter: rest.retryAfter }),
      });
    }
  };
}
