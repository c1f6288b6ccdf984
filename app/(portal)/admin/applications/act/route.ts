import { z } from "zod";
import { form } from "#app/_lib/form";

const doneWords: ReadonlyMap<string, string> = new Map([
  ["verify", "verified"],
  ["unverify", "unverified"],
  ["suspend", "suspended"],
  ["resume", "resumed"],
]);
const at = (clientId = "", word = "nothing") => `/admin/applications/${encodeURIComponent(clientId)}?done=${word}`;

export const POST = form({
  page: "/admin/applications",
  fields: z.object({
    client_id: z.string().default(""),
    act: z.string().default(""),
    // A form without a version is none of ours; 1 is as old as a version can be.
    version: z.coerce.number().int().positive().catch(1),
    reason: z.string().default(""),
  }),
  procedure: async ({ admin }, { client_id: clientId, act, version, reason }) => {
    if (act === "verify" || act === "unverify")
      await admin.verifyApplication({ clientId, version, verified: act === "verify" });
    else if (act === "suspend") await admin.suspendApplication({ clientId, reason });
    else if (act === "resume") await admin.resumeApplication({ clientId });
    // Somebody who is no admin learns nothing, not even that there is no such act.
    else await admin.application({ clientId });
  },
  done: (_, { client_id, act }) => at(client_id, doneWords.get(act)),
  refused: ({ reason, field }, { client_id }) => {
    if (reason === "APPLICATION_CHANGED") return at(client_id, "outdated");
    return field === "reason" ? at(client_id, "no-reason") : undefined;
  },
});
