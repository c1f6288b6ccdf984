import { parse } from "lossless-json";
import type { z } from "zod";
import { GameFailure } from "./contract";
import { type GameErrorKind, gameError, kindOfGameCode } from "./game-error";

/** Anything that answers a request as the game would: the platform's fetch, or the simulator's. */
export type Fetch = (request: Request) => Promise<Response>;

export interface TransportOptions {
  /** With the version: `https://host/v2`. */
  baseUrl: string;
  fetch: Fetch;
  /** Names this product in the key owner's own log of uses; the game shows the first ten characters. */
  comment: string;
  /** Milliseconds for one whole call, body included. */
  timeoutMs: number;
  now: () => Date;
}

interface Ask<Schema extends z.ZodType> {
  key: string;
  schema: Schema;
  query?: Record<string, string>;
}

/** The largest answer that we read: a full faction is under 100 kB, so more than this is not the game speaking. */
const maxAnswerBytes = 5 * 1024 * 1024;

const keyPattern = /^[A-Za-z0-9]{16}$/;

/** Every refusal of the game's front door (429, challenge pages) is aimed at our address, not at one key. */
const kindOfStatus = (status: number): GameErrorKind | null =>
  status === 429 || status === 403
    ? "ip-block"
    : status >= 500
      ? "server-side"
      : status === 200
        ? null
        : "unexpected-answer";

/** Integers that a JavaScript number cannot hold stay exact, as a bigint. */
const parseNumber = (text: string) => {
  const value = Number(text);
  return Number.isSafeInteger(value) || !/^-?[0-9]+$/.test(text) ? value : BigInt(text);
};

function parseJson(text: string): unknown {
  try {
    return parse(text, null, parseNumber);
  } catch {
    return undefined;
  }
}

/** Seconds until the limit that `kind` names is lifted; undefined where nobody can know. */
function waitFor(kind: GameErrorKind, now: Date): number | undefined {
  const seconds = Math.floor(now.getTime() / 1000);
  if (kind === "daily-limit") return 86_400 - (seconds % 86_400);
  return kind === "owner-budget" || kind === "ip-block" || kind === "key-just-changed" ? 60 : undefined;
}

function retryAfterHeader(response: Response): number | undefined {
  const text = response.headers.get("retry-after") ?? "";
  return /^[0-9]{1,6}$/.test(text) ? Number(text) : undefined;
}

/** The body as text; null where it is too long or is not UTF-8. */
async function readText(response: Response): Promise<string | null> {
  if (!response.body) return "";
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    size += chunk.value.byteLength;
    if (size > maxAnswerBytes) {
      // Not awaited: a peer that floods us may also never let go.
      reader.cancel().catch(() => undefined);
      return null;
    }
    chunks.push(chunk.value);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return null;
  }
}

/** Runs `work` under a signal; rejects with `GameError` kind `timeout` at the limit even where `work` ignores the signal. */
async function within<T>(timeoutMs: number, path: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(gameError({ kind: "timeout", detail: `${path}: no answer within ${timeoutMs} ms` }));
      controller.abort();
    }, timeoutMs);
  });
  try {
    return await Promise.race([work(controller.signal), expired]);
  } finally {
    clearTimeout(timer);
  }
}

/** The code of a failed connection (`ECONNREFUSED`): all that is told of it, since a message may quote the request. */
function networkCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
  return typeof code === "string" ? code : "no connection";
}

/** A field as the log may name it: names come from the answer, which could quote anything. */
const fieldName = (part: PropertyKey) => (/^([a-z_]{1,30}|[0-9]+)$/.test(String(part)) ? String(part) : "?");

/**
 * Makes the one function through which every call to the game goes.
 *
 * `get(path, { key, schema, query })` takes a path below the base URL (`user/123/profile`) and gives the answer as `schema`
 * parsed it. It throws `GameError` and nothing else. The key travels in a header alone, and never to a redirect's target.
 */
export function createTransport({ baseUrl, fetch, comment, timeoutMs, now }: TransportOptions) {
  const base = baseUrl.replace(/\/+$/, "");
  const exchange = async (path: string, url: URL, key: string, signal: AbortSignal) => {
    const request = new Request(url, {
      headers: { authorization: `ApiKey ${key}`, accept: "application/json" },
      redirect: "manual",
      signal,
    });
    try {
      const response = await fetch(request);
      return { response, text: await readText(response) };
    } catch (error) {
      throw gameError({ kind: "network", detail: `${path}: ${networkCode(error)}` });
    }
  };

  return async function get<Schema extends z.ZodType>(path: string, ask: Ask<Schema>): Promise<z.output<Schema>> {
    // Calls with bad keys count towards a block of our address, and a key with a line break would be quoted by Headers.
    if (!keyPattern.test(ask.key)) throw gameError({ kind: "key-dead", detail: `${path}: not the form of a key` });
    const url = new URL(`${base}/${path}`);
    for (const [name, value] of Object.entries({ ...ask.query, comment })) url.searchParams.set(name, value);

    const { response, text } = await within(timeoutMs, path, (signal) => exchange(path, url, ask.key, signal));
    const answer = text === null ? undefined : parseJson(text);

    const failure = GameFailure.safeParse(answer);
    if (failure.success) {
      const gameCode = failure.data.error.code;
      const kind = kindOfGameCode(gameCode);
      const retryAfter = retryAfterHeader(response) ?? waitFor(kind, now());
      throw gameError({ kind, gameCode, retryAfter, detail: `${path}: the game answered code ${gameCode}` });
    }
    const kind = kindOfStatus(response.status);
    if (kind) {
      const retryAfter = retryAfterHeader(response) ?? waitFor(kind, now());
      throw gameError({ kind, retryAfter, detail: `${path}: HTTP ${response.status}` });
    }
    if (answer === undefined) throw gameError({ kind: "unexpected-answer", detail: `${path}: not JSON, or too long` });
    const parsed = ask.schema.safeParse(answer);
    if (parsed.success) return parsed.data;
    const where = parsed.error.issues.slice(0, 3).map(({ path: at, code }) => `${at.map(fieldName).join(".")} ${code}`);
    throw gameError({ kind: "unexpected-answer", detail: `${path}: ${where.join(", ")}` });
  };
}
