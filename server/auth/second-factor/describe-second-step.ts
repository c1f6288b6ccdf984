import type { Context } from "#server/context";
import { nameOfPlayer } from "#server/users/accounts/name-of-player";
import { findWaitingStep } from "./find-waiting-step";

/** Whom the second step waits for, as the page greets them. They proved the first factor in this browser. */
export interface WaitingPlayer {
  readonly playerId: number;
  readonly name: string;
}

/** Whose second step waits in the browser with this cookie; null where none does. */
export async function describeSecondStep(ctx: Context, token: string | null): Promise<WaitingPlayer | null> {
  const step = await findWaitingStep(ctx, token);
  if (!step) return null;
  const { playerId } = step;
  return { playerId, name: await nameOfPlayer(ctx, playerId) };
}
