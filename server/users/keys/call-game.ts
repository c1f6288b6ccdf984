import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import { chargeCall, exhaustBudget, type Priority } from "#server/game/budget";
import type { GameClient } from "#server/game/client";
import {
  type GameCallError,
  type GameCallErrorKind,
  gameCallErrorKinds,
  isGameCallError,
} from "#server/game/game-call-error";
import { hourSeconds, secondMs } from "#server/platform/time";
import { endFactionAccess } from "../store";
import { type GameKey, pickKey } from "./pick-key";
import { findKeyOwner, type KeyQuery, noteKeyError, reactivateKey } from "./store";

export interface GameCall<T> {
  readonly key: GameKey;
  readonly priority: Priority;
  /** Must make exactly one call to the game. A retry runs this function again. */
  readonly call: (game: GameClient, key: string) => Promise<T>;
}

/** Success is stored at most this often, to avoid a write per call. */
const workedAgainAfterSeconds = hourSeconds;

/**
 * Charges the budget of the key's owner, retries once after a transient failure, and records
 * refusals of the key. Do not call it in a transaction.
 * @throws GameCallError, of kind `owner-budget` if the budget is spent
 */
export async function callGame<T>(ctx: Context, question: GameCall<T>): Promise<T> {
  const { key } = question;
  let answer: T;
  try {
    answer = await callWithRetry(ctx, question);
  } catch (error) {
    if (isGameCallError(error)) await act(ctx, question, error);
    throw error;
  }
  const now = ctx.now();
  const lastOk = key.lastOkAt?.getTime() ?? 0;
  if (key.id !== null && now.getTime() - lastOk > workedAgainAfterSeconds * secondMs)
    await reactivateKey(ctx.database.query, key.id, now);
  return answer;
}

async function callOnce<T>(ctx: Context, { key, priority, call }: GameCall<T>): Promise<T> {
  // Do not charge the budget while the circuit breaker is open.
  const away = ctx.game.refusal();
  if (away) throw away;
  await chargeCall(ctx, key.playerId, priority);
  return call(ctx.game, key.reveal());
}

/** Milliseconds after which a call is not retried, by priority. */
const timeoutMs: Readonly<Record<Priority, number>> = {
  user: 2_000,
  guest: 2_000,
  high: 7_000,
  background: 7_000,
};

export const mayTryAgain = (
  kind: GameCallErrorKind,
  priority: Priority,
  elapsedMs: number,
): boolean => gameCallErrorKinds[kind].isTransient === true && elapsedMs < timeoutMs[priority];

async function callWithRetry<T>(ctx: Context, question: GameCall<T>): Promise<T> {
  const { secondTryAfter } = ctx.game;
  const begun = performance.now();
  try {
    return await callOnce(ctx, question);
  } catch (error) {
    const again =
      secondTryAfter &&
      isGameCallError(error) &&
      mayTryAgain(error.kind, question.priority, performance.now() - begun);
    // An error without a selection is our own refusal before the call.
    if (!again || error.selection === undefined) throw error;
    await new Promise((resolve) => setTimeout(resolve, secondTryAfter()));
    if (ctx.game.refusal()) throw error;
    return await callOnce(ctx, question).catch((second: unknown) => {
      throw isGameCallError(second) && isSpent(second) ? error : second;
    });
  }
}

export interface KeyErrorEffect {
  readonly state?: "dead" | "paused" | "disabled";
  /** Applies only to calls for private faction data. */
  readonly ofFaction?: true;
  readonly endsFactionAccess?: true;
  /** The key is too weak for faction data, whatever the position grants. */
  readonly tooWeakForFaction?: true;
  /** Sent to the owner once; `…` is replaced by the key's last four characters. */
  readonly notice: string;
  readonly path?: string;
}

/**
 * Kinds that are not listed have no effect. The client tracks temporary refusals, such as a spent
 * minute.
 */
export const keyErrorEffects: Readonly<Partial<Record<GameCallErrorKind, KeyErrorEffect>>> = {
  "key-dead": {
    state: "dead",
    notice:
      "Your game key ending in … no longer exists, so it was removed here. Sign in with a new key.",
  },
  "key-paused": {
    state: "paused",
    notice: "Your game key ending in … is paused. It is not used until you resume it.",
  },
  "owner-unavailable": {
    state: "disabled",
    notice:
      "Your game key ending in … cannot be used now: you are in federal jail, or were away for over a week. We try again once a day.",
  },
  "private-selection": {
    ofFaction: true,
    endsFactionAccess: true,
    notice:
      "Your position in the faction no longer grants API access, so your key ending in … reads no faction data.",
  },
  "access-level": {
    ofFaction: true,
    tooWeakForFaction: true,
    notice: "Your game key ending in … may not read your faction's data. Add a key that may.",
    path: "/sign-in?for=faction",
  },
  "daily-limit": {
    notice: "Your game key ending in … has reached its daily limit. Missing data follows later.",
  },
};

function actOf({ kind, selection }: GameCallError): KeyErrorEffect | undefined {
  const act = keyErrorEffects[kind];
  return act?.ofFaction && !selection?.startsWith("faction/") ? undefined : act;
}

export const isKeyRefused = ({ kind }: GameCallError): boolean =>
  keyErrorEffects[kind]?.state !== undefined || keyErrorEffects[kind]?.ofFaction === true;

const mostKeys = 5;

/**
 * Tries the best key first, and the next if a key is refused or its budget is spent meanwhile.
 * @param ask may return undefined, so that the next key is tried
 * @param work.calls calls that must be left in the owner's minute
 * @returns null if no key is left
 */
export async function tryKeys<T>(
  ctx: Context,
  choice: KeyQuery,
  ask: (key: GameKey) => Promise<T | undefined>,
  work?: { readonly priority: Priority; readonly calls: number },
): Promise<T | null> {
  const refused = new Set<string | null>();
  let spent: GameCallError | undefined;
  for (let tried = 1; tried <= mostKeys; tried++) {
    const key = await pickKey(ctx, choice, { refused, work });
    if (!key) break;
    refused.add(key.id);
    try {
      const answer = await ask(key);
      if (answer !== undefined) return answer;
    } catch (error) {
      if (!isGameCallError(error)) throw error;
      if (isSpent(error)) spent = error;
      else if (!isKeyRefused(error) || tried === mostKeys) throw error;
    }
  }
  if (spent) throw spent;
  return null;
}

/** True if our own budget refused the call; concurrent callers may have spent it. */
const isSpent = ({ kind, selection }: GameCallError): boolean =>
  kind === "owner-budget" && selection === undefined;

/** A refusal by our own budget or circuit breaker does not concern the key. */
async function act(
  ctx: Context,
  question: Omit<GameCall<unknown>, "call">,
  error: GameCallError,
): Promise<void> {
  const { key } = question;
  const { kind, gameCode, selection } = error;
  if (selection === undefined) return;
  if (gameCallErrorKinds[kind].alerts)
    ctx.log.error({ kind, gameCode, detail: error.message }, "our calls are refused");
  if (kind === "owner-budget") await exhaustBudget(ctx, key.playerId);
  const meant = actOf(error);
  if (!meant || key.id === null) return;
  if (meant.endsFactionAccess && !(await lostFactionAccess(ctx, question))) return;
  const stored = { id: key.id, playerId: key.playerId, kind, act: meant };
  await ctx.database.transaction(async (tx) => {
    const owner = await apply(tx, stored);
    if (!owner) return;
    const text = meant.notice.replace("…", owner.lastFour);
    const { path } = meant;
    await ctx.notify(tx, { accountId: owner.accountId, kind: `game-key-${kind}`, text, path });
  });
}

/**
 * The game also answers "private" for single selections, so the key's access is checked. Without an
 * answer nothing changes, and the next refusal checks again.
 */
async function lostFactionAccess(
  ctx: Context,
  { key, priority }: Omit<GameCall<unknown>, "call">,
): Promise<boolean> {
  try {
    const info = await callOnce(ctx, { key, priority, call: (game, text) => game.keyInfo(text) });
    return !info.factionApiAccess;
  } catch (error) {
    if (!isGameCallError(error)) throw error;
    await act(ctx, { key, priority }, error);
    return false;
  }
}

/** @returns the account to notify, or undefined if nothing changed */
async function apply(
  tx: Queryable,
  to: { id: string; playerId: number; kind: GameCallErrorKind; act: KeyErrorEffect },
) {
  const { id, playerId, kind, act } = to;
  if (act.endsFactionAccess)
    return (await endFactionAccess(tx, playerId)) ? findKeyOwner(tx, id) : undefined;
  const factionApiAccess = act.tooWeakForFaction ? false : undefined;
  return noteKeyError(tx, id, { lastError: kind, state: act.state, factionApiAccess });
}
