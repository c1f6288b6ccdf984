import { hash } from "node:crypto";
import { hourSeconds, toUnixSeconds } from "#server/platform/time";
import { type GameCallError, type GameCallErrorKind, gameCallError } from "./game-call-error";

/** The game refuses a key for so long after its owner changed what it may read. */
const afterChangeSeconds = 60;
/** The game counts rows over the last 24 hours and does not say when some are free again: it is asked after a while, and then less often. */
const firstReadRest = hourSeconds;
const longestReadRest = 6 * hourSeconds;
/** Beyond so many notes those that mean nothing any more are thrown away. */
const tidyAbove = 1_000;

/** The selections whose rows the game counts together. */
const categories: Readonly<Record<string, string>> = {
  personalstats: "personal stats",
  news: "faction news",
};

/** The category whose rows a call reads; the call itself where it reads none that we know of. */
function categoryOf(selection: string): string {
  const [section = "", names = ""] = selection.split("/");
  const counted = names.split(",").find((name) => Object.hasOwn(categories, name));
  return (counted && categories[counted]) ?? `${section}/${names}`;
}

/**
 * Remembers, in this process, which keys the game does not want to hear from for a while: a key that was just changed not at all,
 * one that read its fill of a category of rows not for that category. Of a key only a hash is kept.
 */
export function createKeyRests(now: () => Date) {
  const notes = new Map<string, { until: number; seconds: number }>();
  const seconds = () => toUnixSeconds(now());
  const left = (name: string) => Math.max(0, (notes.get(name)?.until ?? 0) - seconds());
  const nameOf = (key: string) => hash("sha256", key, "base64url");
  const readsOf = (key: string, selection: string) => `${nameOf(key)} ${categoryOf(selection)}`;

  return {
    /** Notes what a refusal means for the key's near future; most mean nothing. */
    note(key: string, selection: string, kind: GameCallErrorKind): void {
      const at = seconds();
      if (notes.size > tidyAbove)
        for (const [name, { until }] of notes)
          if (until + longestReadRest <= at) notes.delete(name);
      const rest = (name: string, length: number) =>
        notes.set(name, { until: at + length, seconds: length });
      if (kind === "key-just-changed") rest(nameOf(key), afterChangeSeconds);
      if (kind !== "daily-limit") return;
      const name = readsOf(key, selection);
      // Calls that were under way together are refused together, and that is one refusal.
      if (left(name) > 0) return;
      const before = notes.get(name)?.seconds;
      rest(name, before === undefined ? firstReadRest : Math.min(before * 2, longestReadRest));
    },
    /** Notes that the game answered: the next refusal is the first again. */
    answered(key: string, selection: string): void {
      if (notes.size === 0) return;
      const name = readsOf(key, selection);
      // An answer that was under way when another call was refused ends no rest.
      if (left(name) === 0) notes.delete(name);
    },
    /** The refusal that the game would answer with now. It names no selection: the game was not asked. */
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
    /** "wholly": not to be used now. "partly": some category is spent, so that another key is the better choice. */
    of(key: string): "wholly" | "partly" | null {
      const name = nameOf(key);
      if (left(name) > 0) return "wholly";
      for (const [noted, { until }] of notes)
        if (noted.startsWith(`${name} `) && until > seconds()) return "partly";
      return null;
    },
  };
}
export type KeyRests = ReturnType<typeof createKeyRests>;
