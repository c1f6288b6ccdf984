import { hash } from "node:crypto";
import { hourSeconds, secondMs, toUnixSeconds } from "#server/platform/time";
import { createTtlCache } from "#server/platform/ttl-cache";
import { type GameCallError, type GameCallErrorKind, gameCallError } from "./game-call-error";

/** The game refuses a key for this long after its owner changed its permissions. */
const afterChangeSeconds = 60;
/** The game counts rows over 24 hours and does not say when the limit resets. */
const firstReadRest = hourSeconds;
const longestReadRest = 6 * hourSeconds;
const mostRests = 10_000;

const categories: Readonly<Record<string, string>> = {
  personalstats: "personal stats",
  news: "faction news",
};

function categoryOf(selection: string): string {
  const [section = "", names = ""] = selection.split("/");
  const counted = names.split(",").find((name) => Object.hasOwn(categories, name));
  return (counted && categories[counted]) ?? `${section}/${names}`;
}

/** Kept per process. A changed key rests for all calls, a key over the row limit for a category. */
export function createKeyBackoff(now: () => Date) {
  // Notes outlive their rest, so that the next rest is twice as long.
  const notes = createTtlCache<string, { until: number; seconds: number }>({
    now,
    ttl: 2 * longestReadRest * secondMs,
    most: mostRests,
  });
  const seconds = () => toUnixSeconds(now());
  const left = (name: string) => Math.max(0, (notes.get(name)?.until ?? 0) - seconds());
  const nameOf = (key: string) => hash("sha256", key, "base64url");
  const readsOf = (key: string, selection: string) => `${nameOf(key)} ${categoryOf(selection)}`;

  return {
    note(key: string, selection: string, kind: GameCallErrorKind): void {
      const at = seconds();
      const rest = (name: string, length: number) =>
        notes.set(name, { until: at + length, seconds: length });
      if (kind === "key-just-changed") rest(nameOf(key), afterChangeSeconds);
      if (kind !== "daily-limit") return;
      const name = readsOf(key, selection);
      // Concurrent refusals count as one.
      if (left(name) > 0) return;
      const before = notes.get(name)?.seconds;
      rest(name, before === undefined ? firstReadRest : Math.min(before * 2, longestReadRest));
    },
    answered(key: string, selection: string): void {
      const name = readsOf(key, selection);
      // A late success of a concurrent call does not end the backoff.
      if (left(name) === 0) notes.delete(name);
    },
    refusal(key: string, selection: string): GameCallError | undefined {
      const changed = left(nameOf(key));
      if (changed > 0)
        return gameCallError({
          kind: "key-just-changed",
          retryAfter: changed,
          detail: `${selection}: rests`,
        });
      const spent = left(readsOf(key, selection));
      if (spent > 0)
        return gameCallError({
          kind: "daily-limit",
          retryAfter: spent,
          detail: `${selection}: rests`,
        });
      return undefined;
    },
    /** "wholly": unusable now. "partly": some category is spent, so another key is better. */
    of(key: string): "wholly" | "partly" | null {
      const name = nameOf(key);
      if (left(name) > 0) return "wholly";
      for (const [noted, { until }] of notes.entries())
        if (noted.startsWith(`${name} `) && until > seconds()) return "partly";
      return null;
    },
  };
}
