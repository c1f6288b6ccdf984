import {
  FactionBasic,
  type FactionMember,
  FactionMembers,
  KeyInfo,
  type OrganizedCrimeType,
  OrganizedCrimeTypes,
  Player,
  UserDiscord,
  UserProfile,
} from "./contract";
import { createTransport, type Fetch } from "./transport";

/**
 * The game as the product sees it. Every method spends one call of the key owner's budget and throws `GameError`, told apart by
 * `isGameError` and its `kind`. Without an id a method reads the key owner's own player or faction.
 */
export interface GameClient {
  /** Whose key it is, and what it may read. Works with every key. */
  keyInfo(key: string): Promise<KeyInfo>;
  profile(key: string, playerId?: number): Promise<UserProfile>;
  /** The chat id that the player linked, or null. */
  discord(key: string, playerId?: number): Promise<UserDiscord>;
  /** Profile, chat id, faction and position together, so that they never describe two different moments. */
  player(key: string, playerId?: number): Promise<Player>;
  factionBasic(key: string, factionId?: number): Promise<FactionBasic>;
  factionMembers(key: string, factionId?: number): Promise<FactionMember[]>;
  organizedCrimeTypes(key: string): Promise<OrganizedCrimeType[]>;
}

export interface GameClientOptions {
  /** With the version: `https://host/v2`. */
  baseUrl: string;
  fetch: Fetch;
  now: () => Date;
  /** Shown to the key's owner in the game's log of uses. */
  comment?: string;
  /** Milliseconds for one whole call, body included. */
  timeoutMs?: number;
}

const at = (section: string, id: number | undefined, selection: string) =>
  id === undefined ? `${section}/${selection}` : `${section}/${id}/${selection}`;

/** Makes the client of the game's API, version 2, on any `fetch`: the platform's own, or the simulator's. */
export function createGameClient(options: GameClientOptions): GameClient {
  const { comment = "adjutant", timeoutMs = 6_000, ...rest } = options;
  const get = createTransport({ ...rest, comment, timeoutMs });
  return {
    keyInfo: (key) => get("key/info", { key, schema: KeyInfo }),
    profile: (key, playerId) => get(at("user", playerId, "profile"), { key, schema: UserProfile }),
    discord: (key, playerId) => get(at("user", playerId, "discord"), { key, schema: UserDiscord }),
    player: (key, playerId) => {
      const query: Record<string, string> = { selections: "profile,discord,faction" };
      if (playerId !== undefined) query.id = String(playerId);
      return get("user", { key, schema: Player, query });
    },
    factionBasic: (key, factionId) => get(at("faction", factionId, "basic"), { key, schema: FactionBasic }),
    factionMembers: (key, factionId) => get(at("faction", factionId, "members"), { key, schema: FactionMembers }),
    organizedCrimeTypes: (key) => get("torn/organizedcrimes", { key, schema: OrganizedCrimeTypes }),
  };
}
