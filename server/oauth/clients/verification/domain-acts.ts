import type { Queryable } from "#db/client";
import type { Actor, PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { GeneralError } from "#server/failures";
import type { Counts, Job } from "#server/jobs/job";
import { processBatch } from "#server/jobs/process-batch";
import { charge } from "#server/platform/limiter/limiter";
import { dayMs, minuteSeconds, weekMs } from "#server/platform/time";
import { lockApplication, requireApplication } from "../own-applications";
import { type Application, findApplication, lockApplicationRow, saveApplication } from "../store";
import { notifyTeam } from "../team/notify-team";
import { lookForProof, type ProofCheck, type ProofChecks, readDomain } from "./domain-proof";
import {
  type ApplicationDomain,
  claimDueDomains,
  type DueDomain,
  deleteDomain,
  findDomain,
  saveDomain,
  updateDomain,
} from "./store";

/** Each check asks a nameserver and a host that the developer chose. */
const checksAMinute = 10;

/**
 * A new domain ends the proof of the former domain. Idempotent.
 * @throws UnknownOAuthClient · PortalRefusal ROLE_TOO_LOW · GeneralError for a name that cannot be
 * a public host
 */
export async function setDomain(
  ctx: Context,
  by: PortalUser,
  { clientId, domain: typed }: { readonly clientId: string; readonly domain: string },
): Promise<void> {
  const read = readDomain(typed, ctx.settings);
  await ctx.database.transaction(async (tx) => {
    const application = await lockApplication(tx, by, clientId, "settings");
    if ("why" in read)
      throw GeneralError.because({
        message: read.why,
        details: { errors: [{ field: "domain", message: read.why }] },
      });
    const { domain } = read;
    const before = await findDomain(tx, clientId);
    if (before?.domain === domain) return;
    await saveDomain(tx, { clientId, domain });
    await ctx.audit(tx, by, "application_domain.named", { clientId, before, after: { domain } });
    await noteLostProof(ctx, tx, by, application);
  });
}

/** Sets no next check, because no nameserver knows the demo's names. */
export const proveDomainForDemo = (
  ctx: Context,
  { clientId, domain }: { readonly clientId: string; readonly domain: string },
): Promise<void> =>
  ctx.database.transaction(async (tx) => {
    await saveDomain(tx, { clientId, domain });
    await updateDomain(tx, clientId, { provenAt: ctx.now(), provenBy: "dns", seenAt: ctx.now() });
  });

/** Idempotent. @throws UnknownOAuthClient · PortalRefusal ROLE_TOO_LOW */
export async function removeDomain(
  ctx: Context,
  by: PortalUser,
  { clientId }: { readonly clientId: string },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const application = await lockApplication(tx, by, clientId, "settings");
    const before = await findDomain(tx, clientId);
    if (!before) return;
    await deleteDomain(tx, clientId);
    await ctx.audit(tx, by, "application_domain.removed", { clientId, before });
    await noteLostProof(ctx, tx, by, application);
  });
}

/**
 * @returns "found" if DNS or the file holds the proof now
 * @throws UnknownOAuthClient · PortalRefusal ROLE_TOO_LOW · TooManyRequests · GeneralError without
 * a domain, or if the domain changed meanwhile
 */
export async function proveDomain(
  ctx: Context,
  by: PortalUser,
  { clientId }: { readonly clientId: string },
): Promise<ProofCheck["state"]> {
  const on = ctx.database.query;
  const { ownerId } = await requireApplication(on, by, clientId, "settings");
  const named = await findDomain(on, clientId);
  if (!named) throw GeneralError.because({ message: "Enter a domain first." });
  const { domain } = named;
  const window = { policy: "domain-checks", subject: by.accountId, limit: checksAMinute };
  await charge(ctx, window, "checks");
  const looks = await lookForProof(ctx, { clientId, ownerId, domain });
  return ctx.database.transaction(async (tx) => {
    const application = await lockApplication(tx, by, clientId, "settings");
    const now = await findDomain(tx, clientId);
    // A new owner needs a new proof.
    if (now?.domain !== domain || application.ownerId !== ownerId)
      throw GeneralError.because({ message: "The domain changed meanwhile. Check it again." });
    return saveLooks(ctx, tx, by, { known: now, looks });
  });
}

/** Needs the application's lock. */
async function saveLooks(
  ctx: Context,
  tx: Queryable,
  by: Actor,
  { known, looks }: { readonly known: ApplicationDomain; readonly looks: ProofChecks },
): Promise<ProofCheck["state"]> {
  const { clientId, domain } = known;
  const checkedAt = ctx.now();
  const found = (["dns", "file"] as const).find((place) => looks[place].state === "found");
  const proven = found && {
    provenAt: known.provenAt ?? checkedAt,
    provenBy: found,
    seenAt: checkedAt,
    misses: 0,
    checkAt: new Date(checkedAt.getTime() + weekMs),
  };
  await updateDomain(tx, clientId, {
    checkedAt,
    dnsFinding: looks.dns.finding,
    fileFinding: looks.file.finding,
    ...proven,
  });
  if (found && !known.provenAt)
    await ctx.audit(tx, by, "application_domain.proven", {
      clientId,
      after: { domain, provenBy: found },
    });
  if (found) return "found";
  // If the proof is missing, only the place that had it counts.
  return looks[known.provenBy ?? "dns"].state;
}

/** Needs the application's lock. The domain stays, to be proven again. */
export async function withdrawProof(
  ctx: Context,
  tx: Queryable,
  by: Actor,
  { application, why }: { readonly application: Application; readonly why: string },
): Promise<void> {
  const { clientId } = application;
  const known = await findDomain(tx, clientId);
  if (!known?.provenAt) return;
  const nothing = { provenAt: null, provenBy: null, seenAt: null, misses: 0, checkAt: null };
  await updateDomain(tx, clientId, nothing);
  const { domain } = known;
  await ctx.audit(tx, by, "application_domain.unproven", { clientId, details: { domain, why } });
  await noteLostProof(ctx, tx, by, application);
}

/** Ends the verification, which covered the domain. A new version outdates open decisions. */
async function noteLostProof(
  ctx: Context,
  tx: Queryable,
  by: Actor,
  { clientId, name, verified, provenDomain, version }: Application,
): Promise<void> {
  const unverified = verified && provenDomain !== null;
  await saveApplication(tx, clientId, {
    version: version + 1,
    ...(unverified && { verifiedAt: null }),
  });
  if (!unverified) return;
  const details = { name, changed: ["domain"] };
  await ctx.audit(tx, by, "application.unverified", { clientId, details });
}

const atOnce = 100;
/** Checks are daily after the first miss, so the fourth miss is three days later. */
const mostMisses = 4;
/** A proof that cannot be read for this long ends. */
const longestUnseen = 4 * weekMs;
const watcher = { kind: "job", name: "watch-domains" } as const;

/** Checks each proof once a week, and each day while it is missing. */
export const watchDomainsJob: Job = {
  name: watcher.name,
  cadence: { everySeconds: 10 * minuteSeconds },
  budget: atOnce,
  run: async (ctx, work) => {
    const now = ctx.now();
    const next = new Date(now.getTime() + dayMs);
    const items = await claimDueDomains(ctx.database.background.query, {
      now,
      next,
      limit: atOnce,
    });
    return processBatch(ctx, work, {
      items,
      name: ({ clientId }) => ({ clientId }),
      triedAt: ({ checkedAt }) => checkedAt,
      each: (item) => checkDomain(ctx, item),
    });
  },
};

async function checkDomain(ctx: Context, due: DueDomain): Promise<Counts> {
  const { clientId, domain, ownerId } = due;
  const looks = await lookForProof(ctx, due);
  return ctx.database.transaction(async (tx): Promise<Counts> => {
    await lockApplicationRow(tx, clientId);
    const application = await findApplication(tx, clientId);
    const known = await findDomain(tx, clientId);
    // Meanwhile the domain was changed, or the application was given away or deleted.
    if (!known?.provenAt || known.domain !== domain || application?.ownerId !== ownerId) return {};
    const state = await saveLooks(ctx, tx, watcher, { known, looks });
    if (state === "found") return { found: 1 };
    const since = (at: Date) => ctx.now().getTime() - at.getTime();
    const unseen = since(known.seenAt ?? known.provenAt);
    // After an outage of ours, or a clock set forward, the first failing check proves nothing.
    const isWatched = known.checkedAt !== null && since(known.checkedAt) <= weekMs;
    const misses = known.misses + (state === "missing" ? 1 : 0);
    const isLost = misses >= mostMisses || (isWatched && unseen >= longestUnseen);
    if (isLost) {
      const why = misses >= mostMisses ? "not found" : "not readable for four weeks";
      await withdrawProof(ctx, tx, watcher, { application, why });
    } else await updateDomain(tx, clientId, { misses });
    const isNews = isLost || (state === "missing" && misses === 1);
    if (isNews)
      await notifyTeam(ctx, tx, { clientId, right: "settings" }, (name) => ({
        kind: isLost ? "domain-unproven" : "domain-missed",
        text: isLost
          ? `“${name}” no longer shows ${domain} as proven: the TXT record or file could not be found for days.${application.verified ? " Its verification has ended too." : ""} Put it back and check it again.`
          : `The proof of ${domain} for “${name}” was not found: the TXT record or file is gone. Put it back within three days, or players no longer see the domain as proven.`,
        path: `/developers/apps/${clientId}/verification`,
      }));
    return isLost ? { withdrawn: 1 } : { [state]: 1 };
  });
}
