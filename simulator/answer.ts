import { LRUCache } from "lru-cache";
import { toUnixSeconds } from "#server/platform/time";
import type { createAdmission, DailyRows } from "./admission";
import type { Areas } from "./areas";
import type { Key, Keys } from "./keys";
import { errorBody } from "./responses";
import { readableBy, readCall, type SimulatedCall } from "./routes";
import type { Ask } from "./sections/section";

interface AnswerParts {
  areas: Areas;
  keys: Keys;
  cache: AnswerCache;
  dailyRows: DailyRows;
  admit: ReturnType<typeof createAdmission>;
}

interface Request {
  readonly url: URL;
  readonly keyText: string | null;
  readonly address: string | null;
  readonly now: Date;
  readonly stale: boolean;
}

/**
 * Objects of the same name are merged, as `profile` of two selections; other values are replaced.
 */
function merge(
  into: Record<string, unknown>,
  more: Record<string, unknown>,
): Record<string, unknown> {
  const isObject = (value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  const merged = { ...into };
  for (const [name, value] of Object.entries(more)) {
    const known = merged[name];
    merged[name] =
      isObject(known) && isObject(value) ? { ...(known as object), ...(value as object) } : value;
  }
  return merged;
}

/** Error code of a refusal, or null. Decided at every call and never cached. */
function refusal(call: SimulatedCall, ask: Ask): number | null {
  const readable = ask.readable[call.sectionName] ?? [];
  if (!call.selections.every((name) => readable.includes(name))) return 16;
  if (!call.section.exists(call.id, ask)) return 6;
  for (const name of call.selections) {
    const selection = call.section.selections[name];
    if (selection?.own && call.id !== null) return 7;
    if (selection?.factionAccess && !ask.world.hasFactionAccess(ask.owner)) return 7;
    const refused = call.section.refuses(name, call.id, ask);
    if (refused !== null) return refused;
  }
  return null;
}

export function createAnswer({ areas, keys, cache, dailyRows, admit }: AnswerParts) {
  const log = (
    key: Key,
    call: SimulatedCall,
    seen: { url: URL; address: string | null; now: Date },
  ) =>
    keys.logUse(key, {
      timestamp: toUnixSeconds(seen.now),
      type: call.sectionName,
      selections: call.selections.join(","),
      id: call.id === null ? null : Number(call.id),
      comment: seen.url.searchParams.get("comment")?.slice(0, 10) ?? null,
      ip: seen.address ?? "0.0.0.0",
    });

  return function answer(request: Request): string {
    const { url, now, stale } = request;
    const admitted = admit(request);
    if (typeof admitted === "number") return errorBody(admitted);
    const call = readCall(url);
    if (typeof call === "number") return errorBody(call);
    const { key, owner } = admitted;
    log(key, call, request);
    const ask: Ask = { ...areas, now, url, owner, key, readable: readableBy(key) };
    const refused = refusal(call, ask);
    if (refused !== null) return errorBody(refused);
    const { blindMemory, dailyRows: limit } = areas.behaviour.now();
    if (dailyRows.areSpent(call, { owner, now, limit })) return errorBody(14);
    return cache.through({ key: key.key, url, now, stale, blind: blindMemory }, () => {
      const parts = call.selections.map((name) => call.section.answer(name, call.id, ask));
      const whole = parts.reduce(merge, {});
      dailyRows.count(call, ask, whole);
      return JSON.stringify(whole);
    });
  };
}

const answerLifetimeMs = 29_000;
/** An answer about a large faction has some 100 kB. */
const mostAnswers = 300;

/** Parameters that are not part of the cache key, and those that are even with `blind`. */
const unseenParameters = new Set(["key", "comment", "timestamp"]);
const parametersSeenByAll = new Set(["selections", "id"]);

/** The game caches an answer for 29 seconds per key and URL, so a change is not visible at once. */
export function createAnswerCache() {
  const entries = new LRUCache<string, { until: number; body: string }>({ max: mostAnswers });

  return {
    /**
     * A `timestamp` parameter skips the cache, `stale` entries never expire, and `blind` keys
     * consist of path, selections and id only. The caller must check access first, so that a key
     * without rights cannot read cached answers.
     */
    through(
      asked: { key: string; url: URL; now: Date; stale: boolean; blind: boolean },
      make: () => string,
    ): string {
      const { key, url, now } = asked;
      const query = new URLSearchParams(url.search);
      for (const name of [...query.keys()])
        if (asked.blind ? !parametersSeenByAll.has(name) : unseenParameters.has(name))
          query.delete(name);
      query.sort();
      const entry = `${key} ${url.pathname}?${query}`;
      const known = entries.get(entry);
      const fresh = known && known.until > now.getTime() && !url.searchParams.has("timestamp");
      if (known && (fresh || asked.stale)) return known.body;
      const body = make();
      entries.set(entry, { until: now.getTime() + answerLifetimeMs, body });
      return body;
    },
    clear: () => entries.clear(),
  };
}
export type AnswerCache = ReturnType<typeof createAnswerCache>;
