import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import { listOwnEvents } from "#server/audit/read-events";
import type { Context } from "#server/context";
import { UnknownUser } from "#server/failures";
import { dayMs } from "#server/platform/durations";
import { readStats, readVaultRequests } from "./export-game-store";
import { readApplications, readConsents, readHistory, readKeys, readPerson, readSignIns } from "./export-store";

/** Of each kind of history; the newest ones. A busy player's month would not fit into a download. */
const mostLines = 10_000;
const monthMilliseconds = 30 * dayMs;

/** What the JSON document says of itself. */
const about =
  "Everything that Adjutant stores about this account. Times are ISO 8601 in UTC. Keys, tokens and secrets are left out: they are stored sealed or hashed, and would open what they protect.";

/**
 * All that is stored about the user, as a document to keep. It holds no key, token, secret or hash of one.
 * @returns JSON text
 */
export async function exportAccount(ctx: Context, user: PortalUser, origin: Origin): Promise<{ json: string }> {
  const { accountId } = user;
  const on = ctx.database.query;
  const person = await readPerson(on, accountId);
  if (!person) throw UnknownUser.because();
  const since = new Date(ctx.now().getTime() - monthMilliseconds);
  const history = await readHistory(on, accountId, { lines: mostLines, since });
  const events = await listOwnEvents(ctx, user, mostLines);
  await ctx.audit(on, { act: "account-exported", actor: `account:${accountId}`, accountId, origin });
  const document = {
    about,
    exportedAt: ctx.now(),
    mostLinesOfEachHistory: mostLines,
    ...person,
    stats: await readStats(on, person.player.id, mostLines),
    gameKeys: await readKeys(on, accountId),
    ...(await readSignIns(on, accountId)),
    ...(await readConsents(on, accountId)),
    applications: await readApplications(on, accountId),
    vaultRequests: await readVaultRequests(on, person.player.id, mostLines),
    ...history,
    events: events.map(({ id: _, ...event }) => event),
  };
  // A chat id has more digits than a JSON reader's number: it leaves as text.
  const json = JSON.stringify(document, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value), 2);
  return { json };
}
