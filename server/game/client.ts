import type { z } from "zod";
import { Attacks } from "./contract/attack";
import {
  FactionBasic,
  FactionCrimes,
  FactionCrimesWithMembers,
  FactionMembers,
  FactionNews,
  FactionPositions,
  MemberBalances,
} from "./contract/faction";
import {
  Items,
  LowestPointsPrice,
  OrganizedCrimeTypes,
  StockHistory,
  Stocks,
} from "./contract/torn";
import { KeyInfo, Player } from "./contract/user";
import { gameCallError } from "./game-call-error";
import { limitedLevel } from "./selections";
import { createGameTransport, type GameTransportOptions } from "./transport";

/** The game does not document whether bounds mean begin or end of a fight. */
export interface AttackPageQuery {
  readonly from?: Date;
  readonly to?: Date;
  readonly sort?: "ASC" | "DESC";
}

/** The game's maximum. Its default for crimes is 20. */
export const pageSize = 100;

/** Milliseconds. The list of all items has about a megabyte. */
const itemsTimeoutMs = 15_000;

/** This category has every counter we use; the game asks clients to avoid "all". */
const cat = "popular";

const playerParts = "profile,discord,faction";

const at = (section: string, id: number | undefined, selection: string) =>
  id === undefined ? `${section}/${selection}` : `${section}/${id}/${selection}`;

function migrated<Answer extends { readonly crimes: unknown }>(answer: Answer) {
  const { crimes } = answer;
  if (crimes !== null) return { ...answer, crimes: crimes as NonNullable<Answer["crimes"]> };
  throw gameCallError({
    kind: "not-migrated",
    detail: "faction/crimes: the faction is on the old crimes",
  });
}

/**
 * Version 2 of the game's API. Each method makes one call and throws `GameCallError`. Without an
 * id, a method reads the key owner's data.
 */
export function createGameClient(
  options: GameTransportOptions & {
    /** Milliseconds. */
    readonly secondTryAfter?: (() => number) | undefined;
  },
) {
  const { get, ...transport } = createGameTransport(options);
  /**
   * A timestamp bypasses the game's cache of half a minute, which may mix up pages. Personal stats
   * take none, because there a timestamp selects a past date.
   */
  const uncached = () => ({ timestamp: options.now() });
  const listAttacks = (section: "user" | "faction") => (key: string, page: AttackPageQuery) =>
    get(`${section}/attacks`, {
      key,
      schema: Attacks,
      query: { ...page, limit: pageSize, ...uncached() },
    });
  /** One call, so that all selections are as of the same moment. */
  const readFaction = <Schema extends z.ZodType>(
    key: string,
    schema: Schema,
    asked: { readonly selections: string } & Readonly<
      Record<string, string | number | Date | undefined>
    >,
  ) => get("faction", { key, schema, query: { ...asked, ...uncached() } });

  return {
    ...transport,
    secondTryAfter: options.secondTryAfter,
    keyInfo: (key: string) => get("key/info", { key, schema: KeyInfo }),
    /** Counters of other players are as of the end of yesterday. */
    player: (key: string, playerId?: number, { stats = false } = {}) => {
      const asked = stats
        ? { selections: `${playerParts},personalstats`, cat }
        : { selections: playerParts };
      return get("user", { key, schema: Player, query: { ...asked, id: playerId } });
    },
    ownPlayer: (key: string, known?: { readonly level: number | null }) => {
      const reads = (known?.level ?? limitedLevel) >= limitedLevel;
      const selections = `${playerParts},${reads ? "battlestats," : ""}personalstats`;
      return get("user", { key, schema: Player, query: { selections, cat } });
    },
    userAttacks: listAttacks("user"),
    factionBasic: (key: string, factionId?: number) =>
      get(at("faction", factionId, "basic"), { key, schema: FactionBasic }),
    factionMembers: (key: string, factionId?: number) =>
      get(at("faction", factionId, "members"), { key, schema: FactionMembers }),
    /** This and the other faction methods below need faction API access. */
    factionPositions: (key: string) =>
      get("faction/positions", { key, schema: FactionPositions, query: uncached() }),
    factionAttacks: listAttacks("faction"),
    factionBalance: (key: string) =>
      readFaction(key, MemberBalances, { selections: "balance,basic" }),
    /** Newest first. @throws GameCallError `not-migrated` for a faction on the old crimes */
    factionCrimes: async (
      key: string,
      page: { category: "available" | "completed" | "expired"; offset?: number },
    ) => {
      const { category, offset } = page;
      const asked = { selections: "crimes,basic", cat: category, limit: pageSize, offset };
      return migrated(await readFaction(key, FactionCrimes, asked));
    },
    /** Reads only the first page of crimes in planning. @throws as factionCrimes */
    factionCrimesWithMembers: async (key: string) => {
      const asked = { selections: "crimes,members,basic", cat: "available", limit: pageSize };
      return migrated(await readFaction(key, FactionCrimesWithMembers, asked));
    },
    /** Reads payments out of the vault. HTML tags are kept, because they hold the player ids. */
    factionNews: (key: string, { from, to }: { from?: Date; to?: Date | undefined }) =>
      readFaction(key, FactionNews, {
        selections: "news,basic",
        cat: "giveFunds",
        from,
        to,
        limit: pageSize,
        sort: "DESC",
        striptags: "false",
      }),
    organizedCrimeTypes: (key: string) =>
      get("torn/organizedcrimes", { key, schema: OrganizedCrimeTypes }),
    stocks: (key: string) => get("torn/stocks", { key, schema: Stocks, query: uncached() }),
    stockHistory: (key: string, stockId: number) =>
      get(at("torn", stockId, "stocks"), { key, schema: StockHistory }),
    items: (key: string) =>
      get("torn/items", { key, schema: Items, leastTimeoutMs: itemsTimeoutMs }),
    pointsPrice: (key: string) => get("market/pointsmarket", { key, schema: LowestPointsPrice }),
  };
}

export type GameClient = ReturnType<typeof createGameClient>;
