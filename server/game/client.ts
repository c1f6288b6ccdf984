import type { z } from "zod";
import type { Log } from "#server/platform/log";
import type { Metrics } from "#server/platform/metrics";
import { toUnixSeconds } from "#server/platform/time";
import type { Fetch } from "#server/platform/upstream";
import { createBreaker, type UpstreamState } from "./breaker";
import type { AddressBudget } from "./budget-of-address";
import { Attacks, type ListedAttack } from "./contract/attack";
import { type Crime, FactionCrimes, FactionCrimesWithMembers } from "./contract/crime";
import {
  FactionBalance,
  FactionBasic,
  type FactionMember,
  FactionMembers,
  FactionNews,
  type FactionPosition,
  FactionPositions,
} from "./contract/faction";
import { createRowWatch, type Rows } from "./contract/rows";
import { BattleStats, PersonalStats } from "./contract/stats";
import {
  type Item,
  Items,
  type OrganizedCrimeType,
  OrganizedCrimeTypes,
  PointsMarket,
  type Stock,
  StockHistory,
  Stocks,
} from "./contract/torn";
import { KeyInfo, OwnPlayer, Player, UserDiscord, UserProfile } from "./contract/user";
import { type GameCallError, gameCallError } from "./game-call-error";
import { createKeyRests, type KeyRests } from "./key-rests";
import { type Ask, createGameTransport } from "./transport";
import type { SecondTry } from "./wait-for-game";

/**
 * Which attacks are wanted: those after `from` and up to `to`, at most a page of them. Whether their beginnings or their ends are
 * meant, the game does not say.
 */
export interface AttackPage {
  readonly from?: Date;
  readonly to?: Date;
  /** 1 … 100. */
  readonly limit?: number;
  readonly sort?: "ASC" | "DESC";
}

/** Crimes that are being prepared, those that were carried out, and those that came to nothing. */
export type CrimeCategory = "available" | "completed" | "expired";

/** One page of a faction's crimes. */
export interface CrimePage {
  readonly factionId: number;
  readonly crimes: Rows<Crime>;
}

/** Lifetime counters under our own flat names. `playerId` is the player asked for; absent for the key's owner. */
export interface PlayerCounters {
  readonly playerId?: number;
  readonly counters: Record<string, number | null>;
}

/** The crimes that a faction prepares, and its members, as they were at one moment. */
export interface CrimesWithMembers extends CrimePage {
  readonly members: Rows<FactionMember>;
  readonly membersCounted?: number | null | undefined;
}

/**
 * The game as the product sees it. Every method spends one call of the key owner's budget and throws `GameCallError`, told apart by
 * `isGameCallError` and its `kind`. Without an id a method reads the key owner's own player or faction.
 */
export interface GameClient {
  /** Whose key it is, and what it may read. Works with every key. */
  keyInfo(key: string): Promise<KeyInfo>;
  profile(key: string, playerId?: number): Promise<UserProfile>;
  /** The chat id that the player linked, or null. */
  discord(key: string, playerId?: number): Promise<UserDiscord>;
  /**
   * Profile, chat id, faction and position together, so that they never describe two different moments. With `stats` also
   * the lifetime counters, of another player as of the end of yesterday.
   */
  player(key: string, playerId?: number, options?: { readonly stats: boolean }): Promise<Player>;
  /** The key owner's whole record with their stats. Say the key's level where it is known: below 3 it may not read battle stats. */
  ownPlayer(key: string, known?: { readonly level: number | null }): Promise<OwnPlayer>;
  /** The key owner's own, without modifiers; null where one is not told. Wants a limited key. */
  battleStats(key: string): Promise<BattleStats | null>;
  /** About other players as of the end of yesterday. */
  personalStats(key: string, playerId?: number): Promise<PlayerCounters>;
  /** One page; further ones by `from` and `to`. Wants a limited key. */
  userAttacks(key: string, page?: AttackPage): Promise<Rows<ListedAttack>>;
  factionBasic(key: string, factionId?: number): Promise<FactionBasic>;
  factionMembers(key: string, factionId?: number): Promise<Rows<FactionMember>>;
  /** As they are now. Wants faction API access, as all that follow. */
  factionPositions(key: string): Promise<Rows<FactionPosition>>;
  /** One page; further ones by `from` and `to`. */
  factionAttacks(key: string, page?: AttackPage): Promise<Rows<ListedAttack>>;
  /** What the vault holds now, never what the game remembers of half a minute ago: requests are decided on it. */
  factionBalance(key: string): Promise<FactionBalance>;
  /** One page, the latest first. @throws GameCallError `not-migrated` for a faction on the old crimes */
  factionCrimes(
    key: string,
    page: { category: CrimeCategory; offset?: number },
  ): Promise<CrimePage>;
  /** The first page of the crimes that are being prepared. @throws GameCallError `not-migrated` for a faction on the old crimes */
  factionCrimesWithMembers(key: string): Promise<CrimesWithMembers>;
  /** One page, newest first: lines after `from` and up to `to`. */
  factionNews(
    key: string,
    page: { category: "giveFunds"; from?: Date; to?: Date },
  ): Promise<FactionNews>;
  organizedCrimeTypes(key: string): Promise<Rows<OrganizedCrimeType>>;
  /** The newest tick, never one that the game remembers from an earlier call. */
  stocks(key: string): Promise<Rows<Stock>>;
  /** What a stock's price was, as far as the game's chart of it goes back. */
  stockHistory(key: string, stockId: number): Promise<StockHistory>;
  items(key: string): Promise<Rows<Item>>;
  /** What a point is offered for, or null where nobody offers one. */
  pointsPrice(key: string): Promise<number | null>;
  /** The state of the game, as far as this process knows. */
  upstream(): UpstreamState;
  /** The error with which a call would fail at once, because the game is away; ask before a budget is charged. */
  refusal(): GameCallError | undefined;
  /** The rest that the game imposes on the key for the near future. */
  restOf: KeyRests["of"];
  /** How a failed call is tried again; undefined where it is not. */
  readonly secondTry?: SecondTry;
}

export interface GameClientOptions {
  /** With the version: `https://host/v2`. */
  baseUrl: string;
  fetch: Fetch;
  now: () => Date;
  /** Shown to the key's owner in the game's log of uses. */
  comment?: string;
  /** The user agent that the game's front door sees. */
  userAgent?: string;
  /** Milliseconds for a call that names no time of its own. */
  timeoutMs?: number;
  /** Counts the calls of all processes; without it nothing is counted for the address. */
  address?: AddressBudget;
  /** Told when the calls stop and when they go on, and of rows that cannot be read. */
  log?: Pick<Log, "info" | "warn" | "error">;
  metrics?: Pick<Metrics, "gameCalls" | "gameRows">;
  secondTry?: SecondTry;
}

const at = (section: string, id: number | undefined, selection: string) =>
  id === undefined ? `${section}/${selection}` : `${section}/${id}/${selection}`;

/** Parameters as they are sent: moments as Unix seconds, and what is undefined not at all. */
function query(values: Record<string, string | number | Date | undefined>): Record<string, string> {
  const sent = Object.entries(values).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [[name, value instanceof Date ? String(toUnixSeconds(value)) : String(value)] as const],
  );
  return Object.fromEntries(sent);
}

/** Milliseconds. Most answers have a few kB; the list of all items has about a megabyte. */
const usualTimeoutMs = 6_000;
const itemsTimeoutMs = 15_000;

/** The lowest level of a key that reads its owner's battle stats. */
const levelForBattleStats = 3;

/** Of personal stats: holds every counter that we use, and the game asks everybody to leave "all" alone. */
const cat = "popular";

function migrated(crimes: Rows<Crime> | null): Rows<Crime> {
  if (crimes) return crimes;
  throw gameCallError({
    kind: "not-migrated",
    detail: "faction/crimes: the faction is on the old crimes",
  });
}

/** Rows of a page, as many as the game gives at once. Its own default is 20 for crimes. */
const limit = 100;

/**
 * Makes the client of the game's API, version 2, on any `fetch`: the platform's own, or the simulator's. One per process: it
 * remembers whether the game is there.
 */
export function createGameClient(options: GameClientOptions): GameClient {
  const {
    comment = "adjutant",
    userAgent = "adjutant",
    baseUrl,
    fetch,
    now,
    log,
    metrics,
    secondTry,
    address,
  } = options;
  const { timeoutMs = usualTimeoutMs } = options;
  const breaker = createBreaker({
    now,
    onChange: ({ open, ...why }) =>
      open
        ? log?.error(why, "the game is away: no calls for a while")
        : log?.info({}, "the game answers again"),
  });
  const rests = createKeyRests(now);
  const onRead = createRowWatch({ now, log, metrics });
  const transport = createGameTransport({
    baseUrl,
    fetch,
    comment,
    userAgent,
    breaker,
    rests,
    address,
    metrics,
    onRead,
  });
  const get = <Schema extends z.ZodType>(
    path: string,
    ask: Omit<Ask<Schema>, "timeoutMs"> & { timeoutMs?: number },
  ) => transport(path, { timeoutMs, ...ask });
  /**
   * A timestamp asks past the game's memory of its answers, which lasts half a minute and may take one page of a list for another.
   * Never for personal stats, of which it would ask the state at that moment.
   */
  const pastMemory = () => query({ timestamp: now() });
  return {
    upstream: breaker.state,
    refusal: () => breaker.refusal() ?? address?.refusal(),
    restOf: rests.of,
    secondTry,
    keyInfo: (key) => get("key/info", { key, schema: KeyInfo }),
    profile: (key, playerId) => get(at("user", playerId, "profile"), { key, schema: UserProfile }),
    discord: (key, playerId) => get(at("user", playerId, "discord"), { key, schema: UserDiscord }),
    player: (key, playerId, options) => {
      const selections = "profile,discord,faction";
      const asked = options?.stats
        ? { selections: `${selections},personalstats`, cat }
        : { selections };
      return get("user", { key, schema: Player, query: query({ ...asked, id: playerId }) });
    },
    ownPlayer: (key, known) => {
      const reads = (known?.level ?? levelForBattleStats) >= levelForBattleStats;
      const selections = `profile,discord,faction,${reads ? "battlestats," : ""}personalstats`;
      return get("user", { key, schema: OwnPlayer, query: { selections, cat } });
    },
    battleStats: (key) => get("user/battlestats", { key, schema: BattleStats }),
    personalStats: async (key, playerId) => {
      const path = at("user", playerId, "personalstats");
      const counters = await get(path, { key, schema: PersonalStats, query: { cat } });
      return playerId === undefined ? { counters } : { playerId, counters };
    },
    userAttacks: (key, page) =>
      get("user/attacks", {
        key,
        schema: Attacks,
        query: { ...query({ ...page }), ...pastMemory() },
      }),
    factionBasic: (key, factionId) =>
      get(at("faction", factionId, "basic"), { key, schema: FactionBasic }),
    factionMembers: (key, factionId) =>
      get(at("faction", factionId, "members"), { key, schema: FactionMembers }),
    factionPositions: (key) =>
      get("faction/positions", { key, schema: FactionPositions, query: pastMemory() }),
    factionAttacks: (key, page) =>
      get("faction/attacks", {
        key,
        schema: Attacks,
        query: { ...query({ ...page }), ...pastMemory() },
      }),
    factionBalance: (key) => {
      const asked = { selections: "balance,basic", ...pastMemory() };
      return get("faction", { key, schema: FactionBalance, query: asked });
    },
    factionCrimes: async (key, { category, offset }) => {
      const asked = {
        selections: "crimes,basic",
        ...query({ cat: category, limit, offset }),
        ...pastMemory(),
      };
      const answer = await get("faction", { key, schema: FactionCrimes, query: asked });
      return { ...answer, crimes: migrated(answer.crimes) };
    },
    factionCrimesWithMembers: async (key) => {
      const asked = {
        selections: "crimes,members,basic",
        ...query({ cat: "available", limit }),
        ...pastMemory(),
      };
      const answer = await get("faction", { key, schema: FactionCrimesWithMembers, query: asked });
      return { ...answer, crimes: migrated(answer.crimes) };
    },
    factionNews: (key, { category, from, to }) => {
      // Stripped of its tags a line names nobody by id.
      const asked = {
        selections: "news,basic",
        cat: category,
        from,
        to,
        limit,
        sort: "DESC",
        striptags: "false",
      };
      return get("faction", {
        key,
        schema: FactionNews,
        query: { ...query(asked), ...pastMemory() },
      });
    },
    organizedCrimeTypes: (key) => get("torn/organizedcrimes", { key, schema: OrganizedCrimeTypes }),
    stocks: (key) => get("torn/stocks", { key, schema: Stocks, query: pastMemory() }),
    stockHistory: (key, stockId) =>
      get(at("torn", stockId, "stocks"), { key, schema: StockHistory }),
    items: (key) =>
      get("torn/items", { key, schema: Items, timeoutMs: Math.max(timeoutMs, itemsTimeoutMs) }),
    pointsPrice: (key) => get("market/pointsmarket", { key, schema: PointsMarket }),
  };
}
