import type { Context } from "#server/context";
import { listFactorsToReseal, resealFactor } from "./store";

const batch = 200;
const firstId = "00000000-0000-0000-0000-000000000000";

/** Stores every second factor that a previous server secret sealed under the current one. @returns how many */
export async function resealSecondFactors(ctx: Context): Promise<number> {
  let resealed = 0;
  let after = firstId;
  for (;;) {
    const [, ...previous] = ctx.keyring.keyIds;
    const factors = await listFactorsToReseal(ctx.database.query, { keyIds: previous, after, limit: batch });
    for (const { accountId, sealed } of factors) {
      const to = sealedAnew(ctx, { accountId, sealed });
      if (to && (await resealFactor(ctx.database.query, { accountId, sealed, to }))) resealed++;
    }
    const last = factors.at(-1);
    if (!last || factors.length < batch || ctx.readiness.draining()) return resealed;
    after = last.accountId;
  }
}

function sealedAnew(ctx: Context, { accountId, sealed }: { accountId: string; sealed: string }): string | undefined {
  try {
    return ctx.keyring.seal("second-factor", ctx.keyring.open("second-factor", sealed, accountId), accountId);
  } catch {
    ctx.log.error({ accountId }, "a stored second factor cannot be opened with the server secrets in force");
    return undefined;
  }
}
