import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { recordEvents } from "#server/event-log/record-events";
import { type Member, requireMembership } from "#server/faction/positions/membership";
import {
  InsufficientFactionPermissions,
  UnknownElement,
  UnknownOAuthClient,
} from "#server/failures";
import { charge } from "#server/platform/limiter/limiter";
import { isFactionScope } from "#server/scopes";
import { isClientId } from "../clients/client";
import { factionAccessChanged } from "../grants/events";
import { lockGrantsOf } from "../grants/store";
import {
  listDecisions,
  listFactionPositions,
  listReadingApplications,
  listUnreadNotices,
  lockDecisions,
  otherApplications,
  saveDeciders,
  saveDecisions,
} from "./store";

/** @throws UnknownFaction, InsufficientFactionPermissions */
async function requireDecider(on: Queryable, { playerId }: PortalUser): Promise<Member> {
  const member = await requireMembership(on, playerId);
  if (!member.decidesAccess)
    throw InsufficientFactionPermissions.because({
      message:
        "Only leaders, and members in a position that they named, see and decide which applications read the faction's data.",
    });
  return member;
}

/**
 * Blocks or allows applications for the whole faction. Tokens and consents stay. Idempotent.
 * @throws UnknownFaction, InsufficientFactionPermissions, TooManyRequests; UnknownOAuthClient for
 * applications that read nothing of the faction and have no decision
 */
export const decideAccess = (
  ctx: Context,
  by: PortalUser,
  { clientIds, blocked }: { readonly clientIds: readonly string[]; readonly blocked: boolean },
): Promise<void> =>
  decide(ctx, by, { clientIds: [...new Set(clientIds)].filter(isClientId), blocked });

/**
 * `onlyChosen` blocks applications without a decision of their own. Idempotent.
 * @throws UnknownFaction, InsufficientFactionPermissions, TooManyRequests
 */
export const setBlockedByDefault = (
  ctx: Context,
  by: PortalUser,
  { onlyChosen }: { readonly onlyChosen: boolean },
): Promise<void> => decide(ctx, by, { clientIds: [otherApplications], blocked: onlyChosen });

/** Each decision may notify all members and write many events. */
const decisionsAMinute = 20;

async function decide(
  ctx: Context,
  by: PortalUser,
  { clientIds, blocked }: { readonly clientIds: readonly string[]; readonly blocked: boolean },
): Promise<void> {
  const subject = by.accountId;
  await charge(ctx, { policy: "faction-access", subject, limit: decisionsAMinute });
  await ctx.database.transaction(async (tx) => {
    const now = ctx.now();
    const member = await requireDecider(tx, by);
    const { factionId } = member;
    await lockDecisions(tx, factionId, now);
    const before = await listReadingApplications(tx, factionId, now);
    const listed = [...before, ...(await listDecisions(tx, factionId))];
    const known = clientIds.filter(
      (clientId) =>
        clientId === otherApplications || listed.some((each) => each.clientId === clientId),
    );
    if (known.length === 0) throw UnknownOAuthClient.because();
    const decision = { factionId, clientIds: known, blocked, decidedBy: by.accountId, now };
    const saved = await saveDecisions(tx, decision);
    if (saved.length === 0) return;
    const details = { faction: factionId };
    if (saved.includes(otherApplications)) {
      const act = blocked ? "faction_access.limited" : "faction_access.unlimited";
      await ctx.audit(tx, by, act, { details });
    } else {
      const facts = saved.map((clientId) => ({
        clientId,
        details,
        before: accessOf(wasBlocked(listed, clientId)),
        after: accessOf(blocked),
      }));
      await ctx.audit(tx, by, blocked ? "faction_access.blocked" : "faction_access.allowed", facts);
    }
    await ctx.tokens.announceRevocation(tx, { factionId });
    const changed = (await listReadingApplications(tx, factionId, now)).filter(
      (reader) => reader.blocked !== wasBlocked(before, reader.clientId),
    );
    await recordChange(ctx, tx, { member, changed, blocked });
  });
}

type Listed = readonly { readonly clientId: string; readonly blocked: boolean }[];

const wasBlocked = (listed: Listed, clientId: string): boolean =>
  listed.find((each) => each.clientId === clientId)?.blocked ?? false;

const accessOf = (blocked: boolean) => ({ access: blocked ? "blocked" : "allowed" });

interface ChangedAccess {
  readonly member: Member;
  readonly changed: readonly { readonly clientId: string; readonly name: string }[];
  readonly blocked: boolean;
}

async function recordChange(ctx: Context, tx: Queryable, of: ChangedAccess): Promise<void> {
  const { member, changed, blocked } = of;
  const { factionId } = member;
  if (changed.length === 0) return;
  const clientIds = changed.map(({ clientId }) => clientId);
  const below = await lockGrantsOf(tx, { factionId, clientIds }, ctx.now());
  const ofFaction = below.filter(({ scopes }) => scopes.some(isFactionScope));
  if (ofFaction.length === 0) return;
  // A player's devices share one list of events, so one event per player and application suffices.
  const reading = [
    ...new Map(ofFaction.map((each) => [`${each.clientId} ${each.accountId}`, each])).values(),
  ];
  if (blocked) await notifyMembers(ctx, tx, { ...of, reading });
  await recordEvents(
    ctx,
    tx,
    reading.map(({ grantId, clientId, playerId }) => ({
      type: factionAccessChanged,
      subject: factionId,
      grantId,
      clientId,
      playerId,
      data: accessOf(blocked),
    })),
  );
}

const blockNotice = "app-blocked-by-faction";
const mostNamed = 5;

/** A member with the same notice unread gets no second notice. */
async function notifyMembers(
  ctx: Context,
  tx: Queryable,
  {
    member: { factionName },
    changed,
    reading,
  }: ChangedAccess & {
    readonly reading: readonly { readonly accountId: string; readonly clientId: string }[];
  },
): Promise<void> {
  const accountIds = [...new Set(reading.map(({ accountId }) => accountId))];
  const unread = await listUnreadNotices(tx, { accountIds, kind: blockNotice });
  const notices = accountIds.map((accountId) => {
    const own = changed.filter(({ clientId }) =>
      reading.some((each) => each.accountId === accountId && each.clientId === clientId),
    );
    const [first] = own;
    const names = own.slice(0, mostNamed).map(({ name }) => `“${name}”`);
    const rest = own.length > mostNamed ? ` and ${own.length - mostNamed} more` : "";
    return {
      accountId,
      kind: blockNotice,
      path: own.length === 1 ? `/account/apps/${first?.clientId}` : "/account/apps",
      text: `${factionName ?? "Your faction"} no longer lets ${names.join(", ")}${rest} read its data. Your own data stays open to ${own.length === 1 ? "it" : "them"}.`,
    };
  });
  await ctx.notify(
    tx,
    notices.filter(
      ({ accountId, text }) =>
        !unread.some((each) => each.accountId === accountId && each.text === text),
    ),
  );
}

/**
 * Only leaders may name the positions that decide beside them. Idempotent.
 * @throws UnknownFaction, InsufficientFactionPermissions, UnknownElement for an unknown position
 */
export async function appointDeciders(
  ctx: Context,
  by: PortalUser,
  { positions }: { readonly positions: readonly string[] },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const { factionId, leader } = await requireMembership(tx, by.playerId);
    if (!leader)
      throw InsufficientFactionPermissions.because({
        message: "Only leaders name the positions that decide about applications.",
      });
    await lockDecisions(tx, factionId, ctx.now());
    const known = await listFactionPositions(tx, factionId);
    if (positions.some((name) => !known.some((position) => position.name === name)))
      throw UnknownElement.because({ message: "The faction has no such position any more." });
    const namesOf = (decides: (position: (typeof known)[number]) => boolean) =>
      known.filter(decides).map(({ name }) => name);
    const before = namesOf(({ decides }) => decides);
    const after = namesOf(({ name }) => positions.includes(name));
    if (before.join("\n") === after.join("\n")) return;
    await saveDeciders(tx, { factionId, positions: after });
    await ctx.audit(tx, by, "faction_access.delegated", {
      details: { faction: factionId },
      before: { positions: before },
      after: { positions: after },
    });
  });
}

/** Skips the check, because no demo player leads a faction. */
export const appointDemoDeciders = ({ database }: Context, factionId: number): Promise<void> =>
  saveDeciders(database.query, { factionId, positions: ["Officer"] });
