import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import { exhaustBudget, type Priority, spendCall } from "#server/game/budget";
import type { GameClient } from "#server/game/client";
import {
  type GameCallError,
  type GameCallErrorKind,
  isGameCallError,
} from "#server/game/game-call-error";
import { hourSeconds, secondMs } from "#server/platform/time";
import { endFactionAccess } from "../store";
import { type GameKey, type KeyChoice, pickKey, pickKeyFor } from "./pick-key";
import { findKeyOwner, noteKeyError, restKey, wakeKey } from "./store";

export interface GameCall<T> {
  readonly key: GameKey;
  readonly priority: Priority;
  /** Makes exactly one call. It may be made twice. */
  readonly call: (game: GameClient, key: string) => Promise<T>;
}

/** How old "last worked" may grow before a success is written down again: a write per call would be a write too many. */
const workedAgainAfterSeconds = hourSeconds;

/**
 * Asks the game with somebody's key, at the cost of one call of their budget; of two, where the first failed for a reason that may
 * be gone a moment later. A refusal that concerns the key is acted on. Never call it in a transaction.
 * @throws GameCallError as the client does, and `owner-budget` where the budget is spent
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
    await wakeKey(ctx.database.query, key.id, now);
  return answer;
}

async function callOnce<T>(ctx: Context, { key, priority, call }: GameCall<T>): Promise<T> {
  // While the game is away nobody pays for calls that are not made.
  const away = ctx.game.refusal();
  if (away) throw away;
  await spendCall(ctx, key.playerId, priority);
  return call(ctx.game, key.reveal());
}

/** Faults that may be gone a moment later. Of all others the next call would be refused the same way. */
const passing: ReadonlySet<GameCallErrorKind> = new Set(["server-side", "network", "timeout"]);

/** Milliseconds after which a question has waited too long for another try, by who waits for it. */
const timeoutMs: Readonly<Record<Priority, number>> = {
  ...{ user: 2_000, guest: 2_000 },
  ...{ high: 7_000, background: 7_000 },
};

/** Whether a call that failed after `elapsedMs` may be made once more. */
export const mayTryAgain = (
  kind: GameCallErrorKind,
  priority: Priority,
  elapsedMs: number,
): boolean => passing.has(kind) && elapsedMs < timeoutMs[priority];

async function callWithRetry<T>(ctx: Context, question: GameCall<T>): Promise<T> {
  const { secondTry } = ctx.game;
  const begun = secondTry?.elapsed() ?? 0;
  try {
    return await callOnce(ctx, question);
  } catch (error) {
    const again =
      secondTry &&
      isGameCallError(error) &&
      mayTryAgain(error.kind, question.priority, secondTry.elapsed() - begun);
    // A refusal of our own, before the game was asked, names no selection.
    if (!again || error.selection === undefined) throw error;
    await new Promise((resolve) => setTimeout(resolve, secondTry.pauseMs()));
    if (ctx.game.refusal()) throw error;
    return await callOnce(ctx, question).catch((second: unknown) => {
      // Where the budget allows no second try the first refusal stands.
      throw isGameCallError(second) &&
        second.kind === "owner-budget" &&
        second.gameCode === undefined
        ? error
        : second;
    });
  }
}

/** The consequence of the game's refusal of a key for that key. */
export interface KeyAct {
  /** The state it goes into. A dead key is wiped. */
  readonly state?: "dead" | "paused" | "disabled";
  /** Means this only where private data of a faction was asked for. */
  readonly ofFaction?: true;
  /** The owner's position no longer grants Faction API Access. */
  readonly endsFactionAccess?: true;
  /** This key is too weak for faction data, whatever the owner's position grants. */
  readonly tooWeakForFaction?: true;
  /** The notice to the owner, sent once. `…` stands for the key's last four characters. */
  readonly notice: string;
}

/**
 * The acts by class of error. A class that is not listed says nothing lasting about the key: it stays as it is. That the owner's
 * minute is spent, that the key was just changed or that a selection is spent for today is remembered where calls are made.
 */
export const keyActs: Readonly<Partial<Record<GameCallErrorKind, KeyAct>>> = {
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
    notice:
      "Your game key ending in … may not read your faction's data. Sign in with a key of a higher access level.",
  },
  "daily-limit": {
    notice: "Your game key ending in … has reached its daily limit. Missing data follows later.",
  },
};

/** What a refusal means for its key; nothing where only faction data could mean it and something else was asked for. */
function actOf({ kind, selection }: GameCallError): KeyAct | undefined {
  const act = keyActs[kind];
  return act?.ofFaction && !selection?.startsWith("faction/") ? undefined : act;
}

/** Whether the game refused the key for what was asked, so that another one is worth a try. */
export const isKeyRefused = ({ kind }: GameCallError): boolean =>
  keyActs[kind]?.state !== undefined || keyActs[kind]?.ofFaction === true;

/** The caller may be waiting, so that more keys than this are not tried for one question. */
const mostKeys = 5;

/**
 * Asks with the best key of these players, and with the next where the game refuses the key for what was asked.
 * @param work.calls at least so many must be left of the owner's minute
 * @returns null where no key is left
 */
export async function tryKeys<T>(
  ctx: Context,
  choice: KeyChoice,
  ask: (key: GameKey) => Promise<T>,
  work?: { readonly priority: Priority; readonly calls: number },
): Promise<T | null> {
  const refused = new Set<string | null>();
  for (let tried = 1; ; tried++) {
    const key = work
      ? await pickKeyFor(ctx, choice, { ...work, refused })
      : await pickKey(ctx, choice, refused);
    if (!key) return null;
    try {
      return await ask(key);
    } catch (error) {
      if (!isGameCallError(error) || !isKeyRefused(error) || tried === mostKeys) throw error;
      refused.add(key.id);
    }
  }
}

/** Acts on a refusal. One of our own budget or breaker says nothing about the key. */
async function act(
  ctx: Context,
  question: Omit<GameCall<unknown>, "call">,
  error: GameCallError,
): Promise<void> {
  const { key } = question;
  const { kind, gameCode, selection } = error;
  if (selection === undefined) return;
  if (kind === "our-bug" || kind === "ip-block" || kind === "front-refusal")
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
    await ctx.notify(tx, owner.accountId, { kind: `game-key-${kind}`, text });
  });
}

/**
 * Asks the game once whether the owner's position grants faction API access: "private" is also its word for single selections.
 * Where the game does not say, nothing is known to have changed, and the next refusal asks again.
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

/** @returns the account to notify, or undefined where nothing changed */
async function apply(
  tx: Queryable,
  to: { id: string; playerId: number; kind: GameCallErrorKind; act: KeyAct },
) {
  const { id, playerId, kind, act } = to;
  if (act.state) return restKey(tx, id, { state: act.state, lastError: kind });
  if (act.endsFactionAccess)
    return (await endFactionAccess(tx, playerId)) ? findKeyOwner(tx, id) : undefined;
  return noteKeyError(tx, id, {
    lastError: kind,
    ...(act.tooWeakForFaction && { factionApiAccess: false }),
  });
}
