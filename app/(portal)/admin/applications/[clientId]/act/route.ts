import { formHandler } from "#app/_lib/form";
import { pathWith } from "#app/_ui/path-with";

export const POST = formHandler({
  page: "/admin/applications/[clientId]",
  typed: ["act", "reason"],
  procedure: async ({ admin }, sent) => {
    const [clientId, reason] = [sent.get("clientId"), sent.get("reason")];
    const act = sent.get("act");
    if (act === "verify" || act === "unverify")
      await admin.verifyApplication({
        clientId,
        // A form without a version counts as version 1, the oldest.
        version: sent.number("version") || 1,
        verified: act === "verify",
        reason,
      });
    else if (act === "decline")
      await admin.declineVerification({ clientId, version: sent.number("version") || 1, reason });
    else if (act === "suspend") await admin.suspendApplication({ clientId, reason });
    else if (act === "resume") await admin.resumeApplication({ clientId });
    else if (act === "dismiss" || act === "acted")
      await admin.closeReports({
        clientId,
        reason,
        until: new Date(sent.get("until") ?? ""),
        outcome: act === "acted" ? "acted_on" : "dismissed",
      });
    // Reads the application, so that an unknown act is refused without the admin role, too.
    else await admin.application({ clientId });
  },
  done: (_, sent) => pathWith("", { done: sent.get("act") }),
  refused: { APPLICATION_CHANGED: "outdated", reason: "no-reason" },
});
