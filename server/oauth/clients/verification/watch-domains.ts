import type { Context } from "#server/context";
import type { Counts, Job } from "#server/jobs/job";
import { processBatch } from "#server/jobs/process-batch";
import { dayMs, minuteSeconds, weekMs } from "#server/platform/time";
import { findApplication, lockApplicationRow } from "../store";
import { notifyTeam } from "../team/notify-team";
import { saveLooks, withdrawProof } from "./domain-acts";
import { lookForProof } from "./look-for-proof";
import { claimDueDomains, type DueDomain, findDomain, updateDomain } from "./store";

const atOnce = 100;
/** After the first miss it is checked each day, so that the last one is three days later. */
const mostMisses = 4;
/** For a place that cannot be read. */
const longestUnseen = 4 * weekMs;
const by = { kind: "job", name: "watch-domains" } as const;

/** Each proof once a week, and each day while it is missing. */
export const watchDomains: Job = {
  name: by.name,
  cadence: { everySeconds: 10 * minuteSeconds },
  budget: atOnce,
  run: async (ctx, work) => {
    const now = ctx.now();
    const next = new Date(now.getTime() + dayMs);
    const items = await claimDueDomains(ctx.database.background.query, {
      ...{ now, next, limit: atOnce },
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
    // Named anew, given away or deleted meanwhile.
    if (!known?.provenAt || known.domain !== domain || application?.ownerId !== ownerId) return {};
    const state = await saveLooks(ctx, tx, by, { known, looks });
    if (state === "found") return { found: 1 };
    const since = (at: Date) => ctx.now().getTime() - at.getTime();
    const unseen = since(known.seenAt ?? known.provenAt);
    // After an outage of ours, or a clock set forward, the first failing check says nothing.
    const isWatched = known.checkedAt !== null && since(known.checkedAt) <= weekMs;
    const misses = known.misses + (state === "missing" ? 1 : 0);
    const isLost = misses >= mostMisses || (isWatched && unseen >= longestUnseen);
    if (isLost) {
      const why = misses >= mostMisses ? "not found" : "not readable for four weeks";
      await withdrawProof(ctx, tx, by, { application, why });
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
