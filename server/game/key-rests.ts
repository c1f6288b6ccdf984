import { hash } from "node:crypto";
import { toUnixSeconds } from "#server/platform/to-unix-seconds";
import { type GameError, type GameErrorKind, gameError } from "./game-error";

/** The game refuses a key for so long after its owner changed what it may read. */
const afterChangeSeconds = 60;
const daySeconds = 86_400;
/** Beyond so many notes those that ran out are thrown away. */
const tidyAbove = 1_000;

/**
 * Remembers, in this process, which keys the game does not want to hear from for a while: a key that was just changed not at all,
 * one that read its fill of a selection not for that selection until midnight UTC. Of a key only a hash is kept.
 */
export function createKeyRests(now: () => Date) {
  const until = new Map<string, number>();
  const seconds = () => toUnixSeconds(now());
  const left = (name: string) => Math.max(0, (until.get(name) ?? 0) - seconds());
  const nameOf = (key: string) => hash("sha256", key, "base64url");

  return {
    /** Notes what a refusal means for the key's near future; most mean nothing. */
    note(key: string, selection: string, kind: GameErrorKind): void {
      const at = seconds();
      if (until.size > tidyAbove) for (const [name, end] of until) if (end <= at) until.delete(name);
      if (kind === "key-just-changed") until.set(nameOf(key), at + afterChangeSeconds);
      if (kind === "daily-limit") until.set(`${nameOf(key)} ${selection}`, at - (at % daySeconds) + daySeconds);
    },
    /** The refusal that the game would answer with now. It names no selection: the game was not asked. */
    refusal(key: string, selection: string): GameError | undefined {
      const name = nameOf(key);
      const changed = left(name);
      if (changed > 0)
        return gameError({ kind: "key-just-changed", retryAfter: changed, detail: `${selection}: rests` });
      const spent = left(`${name} ${selection}`);
      if (spent > 0) return gameError({ kind: "daily-limit", retryAfter: spent, detail: `${selection}: rests` });
      return undefined;
    },
    /** "wholly": not to be used now. "partly": some selection is spent for today, so that another key is the better choice. */
    of(key: string): "wholly" | "partly" | null {
      const name = nameOf(key);
      if (left(name) > 0) return "wholly";
      for (const [noted, end] of until) if (noted.startsWith(`${name} `) && end > seconds()) return "partly";
      return null;
    },
  };
}
export type KeyRests = ReturnType<typeof createKeyRests>;
