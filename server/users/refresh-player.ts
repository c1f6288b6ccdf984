import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import type { Priority } from "#server/game/budget";
import type { BattleStats, KeyInfo, Player } from "#server/game/contract/user";
import { dayOf } from "#server/platform/time";
import { type GameCallErrorKind, gameCallError, isGameCallError } from "../game/game-call-error";
import { battleStatsSelection, limitedLevel, personalStatsSelection } from "../game/selections";
import { callGame } from "./keys/call-game";
import { type GameKey, mayRead } from "./keys/pick-key";
import { noteKeyInfo, rightsOf } from "./keys/store";
import { recordMoves } from "./membership/membership";
import { federalUntil, statScore } from "./player";
import {
  noteFaction,
  noteRefreshAttempt,
  saveBattleStats,
  savePersonalStats,
  savePlayer,
} from "./store";

const ofStats: readonly GameCallErrorKind[] = ["daily-limit", "access-level"];

interface PlayerQuestion {
  readonly playerId: number;
  readonly key: GameKey;
  readonly priority: Priority;
  readonly own: KeyInfo | null;
}

interface PlayerAnswer {
  readonly player: Player;
  readonly battleStats: BattleStats | null;
  /** True for current counters, false for counters as of the end of yesterday. */
  readonly statsAreCurrent: boolean;
}

/** A custom key is asked only for its listed selections. */
const readsBattleStats = ({ level, selections }: ReturnType<typeof rightsOf>): boolean =>
  level >= limitedLevel || (selections?.includes(battleStatsSelection) ?? false);

/** Costs one call, and a second call if the key cannot read stats. @throws GameCallError */
async function fetchPlayer(ctx: Context, question: PlayerQuestion): Promise<PlayerAnswer> {
  const { playerId, key, priority } = question;
  const by = { key, priority };
  const own = question.own && rightsOf(question.own);
  const readsStats = mayRead(own ?? key, personalStatsSelection);
  const ask = async (stats: boolean): Promise<PlayerAnswer> => {
    if (own && stats) {
      const level = readsBattleStats(own) ? limitedLevel : 1;
      const player = await callGame(ctx, {
        ...by,
        call: (game, text) => game.ownPlayer(text, { level }),
      });
      return { player, battleStats: player.battleStats, statsAreCurrent: level === limitedLevel };
    }
    const player = await callGame(ctx, {
      ...by,
      call: (game, text) => (own ? game.player(text) : game.player(text, playerId, { stats })),
    });
    return { player, battleStats: null, statsAreCurrent: false };
  };
  const answer = await ask(readsStats).catch((error: unknown) => {
    // If the selections are unknown, only the refusal shows that the key reads no stats.
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
  readonly info?: KeyInfo;
}

/**
 * With the player's own key, a second call adds faction API access and battle stats.
 * @throws GameCallError; stored data stays
 * @returns the faction in the game's answer
 */
export async function refreshPlayer(
  ctx: Context,
  { playerId, key, priority, info }: PlayerRefresh,
): Promise<{ factionId: number | null }> {
  // The time before the call, so that a sighting during the call is newer.
  const at = ctx.now();
  await noteRefreshAttempt(ctx.database.query, playerId, at);
  const own = key.playerId === playerId;
  const access = own
    ? (info ?? (await callGame(ctx, { key, priority, call: (game, text) => game.keyInfo(text) })))
    : null;
  const answer = await fetchPlayer(ctx, { playerId, key, priority, own: access });
  const { player } = answer;
  // A profile that names a faction keeps the membership even without faction data; the next listing
  // fills in the position.
  const factionId = player.faction?.factionId ?? player.factionId;

  await ctx.database.transaction(async (tx) => {
    // Runs first, to serialise with an account deletion: data from a deleted key is not kept.
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
      lastAction: player.lastAction,
      factionId,
      positionName: player.faction?.position ?? null,
      // The two answers may be of different moments, so access in another faction than the
      // profile's does not count.
      factionApiAccess:
        access && held ? access.factionApiAccess && access.factionId === factionId : undefined,
      at,
    });
    await saveStats(tx, { ...answer, battleStats: held ? answer.battleStats : null, at });
    await recordMoves(ctx, tx, before);
  });
  ctx.tokens.forget({ playerId });
  return { factionId };
}

/** Call it in a transaction. @param seen.at time before the game call */
async function saveStats(tx: Queryable, seen: PlayerAnswer & { readonly at: Date }): Promise<void> {
  const { player, battleStats, statsAreCurrent, at } = seen;
  const { playerId, personalStats } = player;
  if (battleStats)
    await saveBattleStats(tx, { playerId, ...battleStats, score: statScore(battleStats), at });
  if (!personalStats) return;
  const day = dayOf(at, statsAreCurrent ? 0 : 1);
  await savePersonalStats(tx, { playerId, day, counters: personalStats.counters, at });
}
