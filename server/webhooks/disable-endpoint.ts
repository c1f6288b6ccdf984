import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import type { Job } from "#server/jobs/job";
import { notifyTeam } from "#server/oauth/clients/team/notify-team";
import { hourMs, minuteSeconds } from "#server/platform/time";
import {
  type DisabledReason,
  findDueNotice,
  type HealthNotice,
  type WebhookEndpoint,
} from "./endpoint";
import {
  listFailingEndpoints,
  lockEndpointById,
  setNotice,
  updateEndpoint,
} from "./endpoint-store";
import { hostOfEndpoint } from "./endpoint-url";
import { replaceExpiredByGap } from "./fan-out";

const reasons: Readonly<Record<DisabledReason, string>> = {
  gone: "answered with 410 Gone",
  asked: "asked not to be sent anything more",
  exhausted: "has not answered well for 72 hours",
};

type Owned = Pick<WebhookEndpoint, "id" | "clientId" | "accountId" | "url">;

/** Waiting deliveries stay, to be sent when the endpoint is resumed. */
export async function disableEndpoint(
  ctx: Context,
  tx: Queryable,
  endpoint: Owned,
  reason: DisabledReason,
): Promise<void> {
  const { id: endpointId, clientId, accountId } = endpoint;
  const stateSince = ctx.now();
  await updateEndpoint(tx, endpointId, {
    state: "disabled",
    reason,
    stateSince,
    dueAt: null,
    notice: "switched-off",
  });
  const details = { endpointId, reason };
  const by = { kind: "job", name: "webhooks" } as const;
  await ctx.audit(tx, by, "webhook.disabled", { clientId, accountId, details });
  await notifyDevelopers(ctx, tx, endpoint, {
    kind: reason === "exhausted" ? "webhook-switched-off" : "webhook-disabled",
    what: `${reasons[reason]}. It is switched off. Nothing is lost for seven days: fix it, then resume it`,
  });
}

export const watchWebhooksJob: Job = {
  name: "watch-webhooks",
  cadence: { everySeconds: minuteSeconds },
  budget: 0,
  run: async (ctx) => ({
    ...(await checkFailingEndpoints(ctx)),
    gaps: await replaceExpiredByGap(ctx),
  }),
};

/** A job checks this, because an endpoint's attempts may be hours apart. */
export async function checkFailingEndpoints(
  ctx: Context,
): Promise<{ told: number; disabled: number }> {
  const counts = { told: 0, disabled: 0 };
  const failing = await listFailingEndpoints(
    ctx.database.query,
    new Date(ctx.now().getTime() - hourMs),
  );
  for (const { id } of failing)
    await ctx.database.transaction(async (tx) => {
      const endpoint = await lockEndpointById(tx, id);
      if (endpoint?.state !== "enabled") return;
      const notice = findDueNotice(endpoint, ctx.now());
      if (!notice) return;
      if (notice === "switched-off") {
        await disableEndpoint(ctx, tx, endpoint, "exhausted");
        counts.disabled += 1;
      } else {
        await setNotice(tx, id, notice);
        await notifyDevelopers(ctx, tx, endpoint, {
          kind: `webhook-${notice}`,
          what: `has failed for ${since[notice]}. It is switched off after 72 hours. See its deliveries for the reason`,
        });
        counts.told += 1;
      }
    });
  return counts;
}

const since: Readonly<Record<Exclude<HealthNotice, "switched-off">, string>> = {
  "failing-1h": "an hour",
  "failing-24h": "24 hours",
  "failing-60h": "60 hours",
};

async function notifyDevelopers(
  ctx: Context,
  tx: Queryable,
  { id, clientId, accountId, url }: Owned,
  { kind, what }: { readonly kind: string; readonly what: string },
): Promise<void> {
  const host = hostOfEndpoint(url);
  const place = host ?? "an address that cannot be read";
  if (clientId !== null)
    await notifyTeam(ctx, tx, { clientId, right: "webhooks" }, (name) => ({
      kind,
      text: `The webhook endpoint of “${name}” at ${place} ${what}.`,
      path: `/developers/apps/${clientId}/webhooks/${id}`,
    }));
  else if (accountId !== null)
    await ctx.notify(tx, {
      accountId,
      kind,
      text: `The webhook for your notices at ${place} ${what}.`,
      path: `/account/notifications/${id}`,
    });
  ctx.log.warn({ endpointId: id, clientId, host, notice: kind }, "a webhook endpoint fails");
}
