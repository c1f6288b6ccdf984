import { minuteMs } from "#server/platform/durations";
import type { LimitState } from "#server/platform/limiter/limiter";

/** A serialised answer that serves every caller until it is stale. */
export interface CachedResponse {
  readonly body: string;
  readonly etag: string | undefined;
  readonly link: string | undefined;
  /** Milliseconds since the epoch. */
  readonly staleAt: number;
}

/** What dispatch remembers between calls. One per process, in the context. */
export interface ResponseCache {
  /** The refusal that still binds this token under this policy, if any. */
  refusal(token: string, policy: string, now: Date): LimitState | undefined;
  rememberRefusal(token: string, state: LimitState, now: Date): void;
  response(key: string, now: Date): CachedResponse | undefined;
  saveResponse(key: string, answer: CachedResponse): void;
  /** What this player was told at this address a moment ago. */
  ownAnswer(playerId: number, address: string, now: Date): CachedResponse | undefined;
  keepOwnAnswer(playerId: number, address: string, answer: CachedResponse): void;
  /** The player's record changed here: what they were told is old. */
  forgetPlayer(playerId: number): void;
}

/** Windows end with the clock minute, so this many callers would have to be refused within one. */
const mostRefusals = 50_000;
const mostAnswers = 1_000;
/** Some 10 MB of players who call within the same moment. */
const mostPlayers = 20_000;

/**
 * Opens the memory. A token that was refused for its rate costs neither database nor limiter until its window ends:
 * hammering on is cheaper for us than calling properly.
 */
export function createResponseCache(): ResponseCache {
  const refusals = new Map<string, LimitState>();
  const answers = new Map<string, CachedResponse>();
  const players = new Map<number, Map<string, CachedResponse>>();
  let refusalMinute = 0;
  const turn = (now: Date) => {
    const thisMinute = Math.floor(now.getTime() / minuteMs);
    if (thisMinute === refusalMinute) return;
    refusalMinute = thisMinute;
    refusals.clear();
  };
  return {
    refusal: (token, policy, now) => {
      turn(now);
      return refusals.size === 0 ? undefined : refusals.get(`${policy} ${token}`);
    },
    rememberRefusal: (token, state, now) => {
      turn(now);
      if (refusals.size < mostRefusals) refusals.set(`${state.policy} ${token}`, state);
    },
    response: (key, now) => fresh(answers, key, now),
    saveResponse: (key, answer) => {
      makeRoom(answers, mostAnswers);
      answers.set(key, answer);
    },
    ownAnswer: (playerId, address, now) => {
      const told = players.get(playerId);
      return told && fresh(told, address, now);
    },
    keepOwnAnswer: (playerId, address, answer) => {
      const told = players.get(playerId) ?? new Map<string, CachedResponse>();
      // Set anew, so that who calls now is the last to make room.
      players.delete(playerId);
      makeRoom(players, mostPlayers);
      players.set(playerId, told.set(address, answer));
    },
    forgetPlayer: (playerId) => void players.delete(playerId),
  };
}

function fresh(answers: Map<string, CachedResponse>, key: string, now: Date): CachedResponse | undefined {
  const kept = answers.get(key);
  if (kept && kept.staleAt > now.getTime()) return kept;
  if (kept) answers.delete(key);
  return undefined;
}

/** The oldest goes first; a Map keeps the order of insertion. */
function makeRoom<Key>(map: Map<Key, unknown>, most: number): void {
  if (map.size < most) return;
  const oldest = map.keys().next();
  if (!oldest.done) map.delete(oldest.value);
}
