import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import type { GameError, GameErrorKind } from "#server/game/game-error";
import { endFactionAccess } from "../store";
import { type KeyAct, keyActs } from "./key-acts";
import type { OpenKey } from "./open-key";
import { findKeyOwner, noteKeyError, restKey } from "./store";

/** Does to a stored key what the game's refusal means for it, and tells its owner once. */
export async function actOnKey(ctx: Context, key: OpenKey, { kind, selection }: GameError): Promise<void> {
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
export const wouldEndFactionAccess = ({ kind, selection }: Pick<GameError, "kind" | "selection">): boolean =>
  keyActs[kind]?.endsFactionAccess === true && selection?.startsWith("faction/") === true;

/** @returns whom to tell, or undefined where nothing changed */
async function apply(tx: Queryable, to: { id: string; playerId: number; kind: GameErrorKind; act: KeyAct }) {
  const { id, playerId, kind, act } = to;
  if (act.state) return restKey(tx, id, { state: act.state, lastError: kind });
  if (act.endsFactionAccess) return (await endFactionAccess(tx, playerId)) ? findKeyOwner(tx, id) : undefined;
  return noteKeyError(tx, id, { lastError: kind, ...(act.tooWeakForFaction && { factionApiAccess: false }) });
}
