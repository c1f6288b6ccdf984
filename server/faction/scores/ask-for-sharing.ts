import type { Context } from "#server/context";
import { readMembership } from "../positions/read-membership";
import { mayChangeScores } from "./faction-scores";
import { chooseStatSharing, findAsked, findStatSharing, lockUnchosen } from "./store";

const kind = "stat-sharing-unchosen";

/**
 * Asks a member who may say who sees what the faction's fights tell, where nobody has said so yet. Each is asked once; the board
 * shows it until somebody chose.
 */
export async function askForSharing(ctx: Context, factionId: number, playerId: number): Promise<void> {
  const on = ctx.database.query;
  const membership = await readMembership(ctx.database, playerId);
  if (membership.factionId !== factionId || !mayChangeScores(membership)) return;
  if ((await findStatSharing(on, factionId)).chosen) return;
  await ctx.database.transaction(async (tx) => {
    const name = await lockUnchosen(tx, factionId);
    const member = await findAsked(tx, playerId, kind);
    if (name === undefined || !member || member.asked) return;
    const text = `Choose who sees the scores from the fights of ${name}. Until then only your faction does.`;
    await ctx.notify(tx, member.accountId, { kind, text, path: "/faction/stats" });
  });
}

/** Lets everybody see them for a faction of a demo, where nobody has chosen yet. @returns false where the faction is not known yet */
export const chooseForDemo = (ctx: Context, factionId: number): Promise<boolean> =>
  chooseStatSharing(ctx.database.query, factionId, { sharing: "everybody", at: ctx.now() });
