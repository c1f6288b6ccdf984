import type { Context } from "#server/context";
import { findSecondStep, type WaitingStep } from "./store";

const tokenForm = /^[A-Za-z0-9_-]{43}$/;

/** The second step that waits in the browser with this cookie; undefined where none does, or its time is over. */
export async function findWaitingStep(ctx: Context, token: string | null): Promise<WaitingStep | undefined> {
  if (token === null || !tokenForm.test(token)) return undefined;
  const hashes = ctx.keyring.fingerprints("second-step", token).map(({ hash }) => hash);
  return findSecondStep(ctx.database.query, hashes, ctx.now());
}
