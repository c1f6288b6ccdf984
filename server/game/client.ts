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
import { limitedLevel } from "./selections";
import { type Ask, createGameTransport } from "./transport";
import type { SecondTry } from "./wait-for-game";

/** After `from` and up to `to`; the game does not document whether begin or end is meant. */
export interface AttackPage {
  readonly from?: Date;
  readonly to?: Date;
  readonly limit?: number;
  readonly sort?: "ASC" | "DESC";
}

export type CrimeCategory = "available" | "completed" | "expired";

export interface CrimePage {
  readonly factionId: number;
  readonly crimes: Rows<Crime>;
}

/** Lifetime counters by our flat names. `playerId` is absent for the key's owner. */
export interface PlayerCounters {
  readonly playerId?: number;
  readonly counters: Record<string, number | null>;
}

export interface CrimesWithMembers extends CrimePage {
  readonly members: Rows<FactionMember>;
  readonly membersCounted?: number | null | undefined;
}

/**
 * The game's API. Each method spends one call of the key owner's budget and throws `GameCallError`.
 * Without an id it reads the key owner's own data.
 */
export interface GameClient {
  keyInfo(key: string): Promise<KeyInfo>;
  profile(key: string, playerId?: number): Promise<UserProfile>;
  discord(key: string, playerId?: number): Promise<UserDiscord>;
  /**
   * One answer, so that all parts are of the same moment. `stats` adds the lifetime counters, for
   * other players as of the end of yesterday.
   */
  player(key: string, playerId?: number, options?: { readonly stats: boolean }): Promise<Player>;
  /** Pass the key's level if known: below 3 it cannot read battle stats. */
  ownPlayer(key: string, known?: { readonly level: number | null }): Promise<OwnPlayer>;
  /** Without modifiers; null if any is missing. Needs a limited key. */
  battleStats(key: string): Promise<BattleStats | null>;
  /** For other players as of the end of yesterday. */
  personalStats(key: string, playerId?: number): Promise<PlayerCounters>;
  userAttacks(key: string, page?: AttackPage): Promise<Rows<ListedAttack>>;
  factionBasic(key: string, factionId?: number): Promise<FactionBasic>;
  factionMembers(key: string, factionId?: number): Promise<Rows<FactionMember>>;
  /** Uncached. This and the following need faction API access. */
  factionPositions(key: string): Promise<Rows<FactionPosition>>;
  factionAttacks(key: string, page?: AttackPage): Promise<Rows<ListedAttack>>;
  /** Bypasses the game's 30 s cache, because withdrawals depend on it. */
  factionBalance(key: string): Promise<FactionBalance>;
  /** Newest first. @throws GameCallError `not-migrated` for a faction on the old crimes */
  factionCrimes(
    key: string,
    page: { category: CrimeCategory; offset?: number },
  ): Promise<CrimePage>;
  /**
   * The first page of crimes in planning. @throws GameCallError `not-migrated` for a faction on the
   * old crimes
   */
  factionCrimesWithMembers(key: string): Promise<CrimesWithMembers>;
  factionNews(
    key: string,
    page: { category: "giveFunds"; from?: Date; to?: Date },
  ): Promise<FactionNews>;
  organizedCrimeTypes(key: string): Promise<Rows<OrganizedCrimeType>>;
  /** The newest tick, bypassing the game's cache. */
  stocks(key: string): Promise<Rows<Stock>>;
  stockHistory(key: string, stockId: number): Promise<StockHistory>;
  items(key: string): Promise<Rows<Item>>;
  pointsPrice(key: string): Promise<number | null>;
  upstream(): UpstreamState;
  /** The error of a call while the game is unavailable; check it before charging a budget. */
  refusal(): GameCallError | undefined;
  restOf: KeyRests["of"];
  readonly secondTry?: SecondTry;
}

export interface GameClientOptions {
  /** With the version: `https://host/v2`. */
  baseUrl: string;
  fetch: Fetch;
  now: () => Date;
  comment?: string;
  userAgent?: string;
  timeoutMs?: number;
  address?: AddressBudget;
  log?: Pick<Log, "info" | "warn" | "error">;
  metrics?: Pick<Metrics, "gameCalls" | "gameRows">;
  secondTry?: SecondTry;
}

const at = (section: string, id: number | undefined, selection: string) =>
  id === undefined ? `${section}/${selection}` : `${section}/${id}/${selection}`;

function query(values: Record<string, string | number | Date | undefined>): Record<string, string> {
  const sent = Object.entries(values).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [[name, value instanceof Date ? String(toUnixSeconds(value)) : String(value)] as const],
  );
  return Object.fromEntries(sent);
}

/** Milliseconds. Most answers have a few kB; the list of all items about a megabyte. */
const usualTimeoutMs = 6_000;
const itemsTimeoutMs = 15_000;

/** Contains every counter we use; the game asks clients to avoid "all". */
const cat = "popular";

function migrated(crimes: Rows<Crime> | null): Rows<Crime> {
  if (crimes) return crimes;
  throw gameCallError({
    kind: "not-migrated",
    detail: "faction/crimes: the faction is on the old crimes",
  });
}

/** The game's maximum. Its default for crimes is 20. */
const limit = 100;

/**
 * Client for version 2 of the API on any `fetch`, real or simulated. One per process, because it
 * holds the breaker.
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
   * A timestamp bypasses the game's cache, which lasts half a minute and may mix up pages. Not for
   * personal stats: there it selects a past date.
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
      const reads = (known?.level ?? limitedLevel) >= limitedLevel;
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
      // With stripped tags, lines lose the player ids.
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
