import { z } from "zod";
import { form } from "#app/_lib/form";

const doneWords: ReadonlyMap<string, string> = new Map([
  ["verify", "verified"],
  ["unverify", "unverified"],
  ["suspend", "suspended"],
  ["resume", "resumed"],
]);

export const POST = form({
  page: ({ clientId = "" }) => `/admin/applications/${encodeURIComponent(clientId)}`,
  fields: z.object({
    clientId: z.string(),
    act: z.string().default(""),
    // Own forms send a version; 1 is the oldest.
    version: z.coerce.number().int().positive().catch(1),
    reason: z.string().default(""),
  }),
  typed: ({ act, reason }) => ({ act, reason }),
  procedure: async ({ admin }, { clientId, act, version, reason }) => {
    if (act === "verify" || act === "unverify")
      await admin.verifyApplication({ clientId, version, verified: act === "verify", reason });
    else if (act === "suspend") await admin.suspendApplication({ clientId, reason });
    else if (act === "resume") await admin.resumeApplication({ clientId });
    // Without the admin role even the act's existence stays hidden.
    else await admin.application({ clientId });
  },
  done: (_, { act }) => `?done=${doneWords.get(act) ?? "nothing"}`,
  refused: ({ reason, field }) => {
    if (reason === "APPLICATION_CHANGED") return "?error=outdated";
    return field === "reason" ? "?error=no-reason" : undefined;
  },
});
