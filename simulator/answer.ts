import { LRUCache } from "lru-cache";
import { dayMs } from "#server/platform/time";
import { createAdmission, createWindow } from "./admission";
import type { GameAreas } from "./areas";
import type { Key, Keys } from "./keys";
import { errorBody } from "./responses";
import { faction } from "./sections/faction";
import { key } from "./sections/key";
import type { CallContext, Section } from "./sections/section";
import { market, torn } from "./sections/torn";
import { user } from "./sections/user";

export const sections: Readonly<Record<string, Section>> = { key, user, faction, torn, market };

interface Asked {
  readonly section: Section;
  readonly sectionName: string;
  readonly id: string | null;
  readonly selections: readonly string[];
}

/**
 * Reads `/v2/user/profile`, `/v2/user/123/profile` and
 * `/v2/user?selections=profile,discord&id=123`.
 * @returns an error code for an invalid path: 3 wrong section, 4 wrong selection, 23 not version 2
 */
function readCall(url: URL): Asked | number {
  const [version, sectionName = "", ...rest] = url.pathname.split("/").slice(1);
  if (version !== "v2") return 23;
  const section = Object.hasOwn(sections, sectionName) ? sections[sectionName] : undefined;
  if (!section) return 3;
  const pathId = rest[0] !== undefined && /^[0-9]+$/.test(rest[0]) ? rest.shift() : undefined;
  const id = pathId ?? url.searchParams.get("id");
  if (id !== null && !/^[0-9]{1,20}$/.test(id)) return 6;
  const asked = rest.length > 0 ? rest.join("/") : (url.searchParams.get("selections") ?? "");
  const selections = asked.split(",").filter(Boolean);
  const known = selections.every((name) => Object.hasOwn(section.selections, name));
  return selections.length > 0 && known ? { section, sectionName, id, selections } : 4;
}

/** All selections up to the key's level, or the list of a custom key. */
function readableBy(key: Key): Record<string, string[]> {
  const names = Object.entries(sections).map(([sectionName, section]): [string, string[]] => {
    const readable = Object.entries(section.selections).filter(([name, selection]) =>
      key.level === 0
        ? sectionName === "key" || (key.selections[sectionName] ?? []).includes(name)
        : selection.level <= key.level,
    );
    return [sectionName, readable.map(([name]) => name)];
  });
  return Object.fromEntries(names);
}

interface Call {
  readonly url: URL;
  readonly keyText: string | null;
  readonly address: string | null;
  readonly now: Date;
  readonly stale: boolean;
}

/** Checks access at every call, cached or not. @returns the subject, or an error code */
function subjectOf({ section, sectionName, id, selections }: Asked, ask: CallContext) {
  const readable = ask.readable[sectionName] ?? [];
  if (!selections.every((name) => readable.includes(name))) return 16;
  const subject = section.find(id, ask);
  if (!subject) return 6;
  for (const name of selections) {
    const selection = section.selections[name];
    if (selection?.own && id !== null) return 7;
    if (selection?.factionAccess && !ask.world.hasFactionAccess(ask.owner)) return 7;
    const refused = subject.refuses(name);
    if (refused !== null) return refused;
  }
  return subject;
}

/** Selections with a daily limit on rows. Each has its own. */
const countedSelections = new Set(["news", "personalstats"]);

const rowsIn = (part: unknown): number => (Array.isArray(part) ? part.length : countLeaves(part));

const countLeaves = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? Object.values(value).reduce((sum: number, each) => sum + countLeaves(each), 0)
    : 1;

export function createAnswer({
  areas,
  keys,
  cache,
}: {
  areas: GameAreas;
  keys: Keys;
  cache: AnswerCache;
}) {
  const admit = createAdmission({ keys, world: areas.world });
  const dailyRows = createWindow(dayMs);

  return function answer(call: Call): string {
    const { url, now, stale } = call;
    const admitted = admit(call);
    if (typeof admitted === "number") return errorBody(admitted);
    const asked = readCall(url);
    if (typeof asked === "number") return errorBody(asked);
    const { key, owner } = admitted;
    const ask: CallContext = { ...areas, now, url, owner, key, readable: readableBy(key) };
    const subject = subjectOf(asked, ask);
    if (typeof subject === "number") return errorBody(subject);
    const { blindMemory, dailyRows: mostRows } = areas.behaviour.now();
    const counted = asked.selections.find((name) => countedSelections.has(name));
    const budget = `${owner.id} ${counted}`;
    if (counted && dailyRows.used(budget, now) >= mostRows) return errorBody(14);
    return cache.through({ key: key.key, url, now, stale, blind: blindMemory }, () => {
      const whole: Record<string, unknown> = Object.assign(
        {},
        ...asked.selections.map(subject.answer),
      );
      if (counted) dailyRows.count(budget, now, rowsIn(whole[counted]));
      return JSON.stringify(whole);
    });
  };
}

const answerLifetimeMs = 29_000;
/** An answer about a large faction has some 100 kB. */
const mostAnswers = 300;

/** Not part of the cache key. */
const unseenParameters = new Set(["key", "comment", "timestamp"]);
/** With `blind`, only these are. */
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
