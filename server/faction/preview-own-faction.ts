import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { selectionsByCall } from "#server/game/selections";
import type { CappedCount } from "#server/platform/paging";
import { hasWorkingKey } from "#server/users/keys/pick-key";
import { retaliationCutoff } from "./attacks/retaliation";
import { listOpenRetaliations } from "./attacks/store";
import { listMatching } from "./banking/store";
import { requestAsOf } from "./banking/vault-request";
import { readChatLink } from "./chat-link/read-chat-link";
import { listDelays } from "./crimes/store";
import { readMembership } from "./positions/membership";
import { findLastSyncs } from "./sync-store";

/** Above this count the page shows "100 and more". */
const mostCounted = 100;
const everyCrime = { lowest: 1, highest: 2 ** 31 - 1 } as const;

export type FactionPreview = NonNullable<Awaited<ReturnType<typeof previewOwnFaction>>>;

/** Makes no game calls. */
export async function previewOwnFaction(ctx: Context, { playerId }: PortalUser) {
  const on = ctx.database.query;
  const now = ctx.now();
  const member = await readMembership(ctx.database, playerId);
  if (!member) return null;
  const { factionId, factionName, positionName } = member;
  const own = { factionId, playerId, now };
  const keyOf = { of: "faction", factionId } as const;
  const [lastSyncs, forAttacks, forCrimes, link, hits, pending, [last], delays] = await Promise.all(
    [
      findLastSyncs(on, factionId),
      hasWorkingKey(ctx, { ...keyOf, reads: selectionsByCall.attacks }),
      hasWorkingKey(ctx, { ...keyOf, reads: selectionsByCall.crimes }),
      readChatLink(on, factionId),
      listOpenRetaliations(ctx.database, { factionId, since: retaliationCutoff(now) }),
      listMatching(on, { ...own, pendingOnly: true, limit: mostCounted + 1 }),
      listMatching(on, { ...own, pendingOnly: false, limit: 1 }),
      listDelays(ctx.database, { factionId, ...everyCrime, limit: mostCounted + 1, skip: 0 }),
    ],
  );
  const [newest = null] = delays;
  return {
    factionName,
    positionName,
    /** `hasKey` is true if a member's key can read the attacks. */
    attacks: { hasKey: forAttacks, open: counted(hits), readAt: lastSyncs.attacks },
    banking: {
      link: link.state,
      pending: counted(pending),
      last: last ? requestAsOf(last, now) : null,
    },
    crimes: {
      hasKey: forCrimes,
      delays: counted(delays),
      newest,
      readAt: lastSyncs.crimes,
    },
  };
}

const counted = ({ length }: readonly unknown[]): CappedCount => ({
  count: Math.min(length, mostCounted),
  more: length > mostCounted,
});
