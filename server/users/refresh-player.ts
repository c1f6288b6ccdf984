import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import type { Priority } from "#server/game/budget";
import type { KeyInfo, Player } from "#server/game/contract/user";
import { dayOf } from "#server/platform/time";
import type { BattleStats } from "../game/contract/stats";
import { type GameCallErrorKind, gameCallError, isGameCallError } from "../game/game-call-error";
import { battleStats, personalStats } from "../game/selections";
import { callGame } from "./keys/call-game";
import { type GameKey, mayRead } from "./keys/pick-key";
import { noteKeyInfo, rightsOf } from "./keys/store";
import { recordMoves } from "./membership/membership";
import { federalUntil, statScore } from "./player";
import { saveBattleStats, savePersonalStats } from "./stats-store";
import { noteAttempt, noteFaction, savePlayer } from "./store";

/** Refusals that may concern the stats alone. */
const ofStats: readonly GameCallErrorKind[] = ["daily-limit", "access-level"];

interface PlayerQuestion {
  readonly playerId: number;
  readonly key: GameKey;
  readonly priority: Priority;
  /** The key's rights, where it is the player's own; null for somebody else's. */
  readonly own: KeyInfo | null;
}

interface PlayerAnswer {
  readonly player: Player;
  /** Told by the player's own key alone, and not by every one. */
  readonly battleStats: BattleStats | null;
  /** Whether the counters are of this moment, and not of the end of yesterday. */
  readonly statsAreCurrent: boolean;
}

/** From this level on a key reads all of its owner's stats. */
const limitedKey = 3;

/** Whether a key reads its owner's battle stats. A custom key is asked for nothing that it does not list. */
const readsBattleStats = ({ level, selections }: ReturnType<typeof rightsOf>): boolean =>
  level >= limitedKey || (selections?.includes(battleStats) ?? false);

/**
 * Asks the game for a player with all stats that the key tells, in one call; in a second one without them where the game has
 * told enough stats for the day.
 * @throws GameCallError
 */
async function fetchPlayer(ctx: Context, question: PlayerQuestion): Promise<PlayerAnswer> {
  const { playerId, key, priority } = question;
  const own = question.own && rightsOf(question.own);
  const readsStats = mayRead(own ?? key, personalStats);
  const ask = async (stats: boolean): Promise<PlayerAnswer> => {
    if (own && stats) {
      const level = readsBattleStats(own) ? limitedKey : 1;
      const answer = await callGame(ctx, {
        key,
        priority,
        call: (game, text) => game.ownPlayer(text, { level }),
      });
      return {
        player: answer,
        battleStats: answer.battleStats,
        statsAreCurrent: level === limitedKey,
      };
    }
    const selections = own ? undefined : { stats };
    const askedId = own ? undefined : playerId;
    const player = await callGame(ctx, {
      key,
      priority,
      call: (game, text) => game.player(text, askedId, selections),
    });
    return { player, battleStats: null, statsAreCurrent: false };
  };
  const answer = await ask(readsStats).catch((error: unknown) => {
    // Of a key whose selections are not known only the refusal says that it reads no stats.
    const isOfStats = isGameCallError(error) && ofStats.includes(error.kind);
    if (readsStats && isOfStats) return ask(false);
    throw error;
  });
  if (answer.player.playerId !== playerId)
    throw gameCallError({
      kind: "unexpected-answer",
      detail: `player ${answer.player.playerId} instead of ${playerId}`,
    });
  return answer;
}

export interface PlayerRefresh {
  readonly playerId: number;
  readonly key: GameKey;
  readonly priority: Priority;
  /** The game's answer about the key, where the caller already asked. */
  readonly info?: KeyInfo;
}

/**
 * Reads a player from the game and stores profile, chat id, faction, position and public counters together. With the player's
 * own key it also reads whether their position grants Faction API Access, and what they are worth in a fight. One call, two
 * with the player's own key.
 * @throws GameCallError; what was stored before stays then
 * @returns the faction that the game just said they are in
 */
export async function refreshPlayer(
  ctx: Context,
  { playerId, key, priority, info }: PlayerRefresh,
): Promise<{ factionId: number | null }> {
  // The sighting counts from before the question: what is seen during it elsewhere is newer.
  const at = ctx.now();
  await noteAttempt(ctx.database.query, playerId, at);
  const own = key.playerId === playerId;
  const access = own
    ? (info ?? (await callGame(ctx, { key, priority, call: (game, text) => game.keyInfo(text) })))
    : null;
  const answer = await fetchPlayer(ctx, { playerId, key, priority, own: access });
  const { player } = answer;
  // A faction that is missing beside a profile that names one ends no membership; the next listing knows the position.
  const factionId = player.faction?.factionId ?? player.factionId;

  await ctx.database.transaction(async (tx) => {
    // First, so that a deletion of the account waits, or was before: then what only the key told is not kept.
    const held = !access || key.id === null || (await noteKeyInfo(tx, key.id, access));
    if (player.faction) await noteFaction(tx, { ...player.faction, id: player.faction.factionId });
    const before = await savePlayer(tx, {
      playerId,
      name: player.name,
      level: player.level,
      chatId: player.chatId,
      status: player.status.state,
      signedUp: player.signedUp,
      federalUntil: federalUntil(player.status),
      lastAction: player.lastAction.at,
      factionId,
      positionName: player.faction?.position ?? null,
      // Two answers may describe two moments: access in another faction than the profile's is none here.
      factionApiAccess:
        access && held ? access.factionApiAccess && access.factionId === factionId : undefined,
      at,
    });
    await saveStats(tx, { ...answer, battleStats: held ? answer.battleStats : null, at });
    await recordMoves(ctx, tx, before);
  });
  ctx.responseCache.forgetPlayer(playerId);
  return { factionId };
}

/**
 * Stores a player's stats from an answer of the game; a player seen for the first time gets the same rows as everybody else
 * does. Call it in a transaction. @param seen `at` is the moment before the game was asked
 */
async function saveStats(tx: Queryable, seen: PlayerAnswer & { readonly at: Date }): Promise<void> {
  const { player, battleStats, statsAreCurrent, at } = seen;
  const { playerId, personalStats } = player;
  if (battleStats)
    await saveBattleStats(tx, { playerId, ...battleStats, score: statScore(battleStats), at });
  if (!personalStats) return;
  const day = dayOf(at, statsAreCurrent ? 0 : 1);
  await savePersonalStats(tx, { playerId, day, counters: personalStats.counters, at });
}
