import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import type { GameCallError, GameCallErrorKind } from "#server/game/game-call-error";
import { endFactionAccess } from "../store";
import type { GameKey } from "./pick-key";
import { findKeyOwner, noteKeyError, restKey } from "./store";

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
    notice: "Your game key ending in … no longer exists, so it was removed here. Sign in with a new key.",
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
    notice: "Your position in the faction no longer grants API access, so your key ending in … reads no faction data.",
  },
  "access-level": {
    ofFaction: true,
    tooWeakForFaction: true,
    notice: "Your game key ending in … may not read your faction's data. Sign in with a key of a higher access level.",
  },
  "daily-limit": {
    notice: "Your game key ending in … has reached its daily limit. Missing data follows later.",
  },
};

/** Whether the key that was refused is out of use for everything, so that the next one is worth a try. */
export const isKeyOut = ({ kind }: GameCallError): boolean => keyActs[kind]?.state !== undefined;

/** Does to a stored key what the game's refusal means for it, and tells its owner once. */
export async function actOnKey(ctx: Context, key: GameKey, { kind, selection }: GameCallError): Promise<void> {
  const act = keyActs[kind];
  const id = key.id;
  if (!act || id === null) return;
  if (act.ofFaction && !selection?.startsWith("faction/")) return;
  await ctx.database.transaction(async (tx) => {
    const owner = await apply(tx, { id, playerId: key.playerId, kind, act });
    if (!owner) return;
    await ctx.notify(tx, owner.accountId, { kind: `game-key-${kind}`, text: act.notice.replace("…", owner.lastFour) });
  });
}

/** Whether the act would take the owner's faction access, which another refusal may have meant just as well. */
export const wouldEndFactionAccess = ({ kind, selection }: Pick<GameCallError, "kind" | "selection">): boolean =>
  keyActs[kind]?.endsFactionAccess === true && selection?.startsWith("faction/") === true;

/** @returns the account to notify, or undefined where nothing changed */
async function apply(tx: Queryable, to: { id: string; playerId: number; kind: GameCallErrorKind; act: KeyAct }) {
  const { id, playerId, kind, act } = to;
  if (act.state) return restKey(tx, id, { state: act.state, lastError: kind });
  if (act.endsFactionAccess) return (await endFactionAccess(tx, playerId)) ? findKeyOwner(tx, id) : undefined;
  return noteKeyError(tx, id, { lastError: kind, ...(act.tooWeakForFaction && { factionApiAccess: false }) });
}
