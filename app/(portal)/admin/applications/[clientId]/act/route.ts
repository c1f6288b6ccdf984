import { form } from "#app/_lib/form";
import { pathWith } from "#app/_ui/path-with";

export const POST = form({
  page: "/admin/applications/[clientId]",
  typed: ["act", "reason"],
  procedure: async ({ admin }, sent) => {
    const [clientId, reason] = [sent.get("clientId"), sent.get("reason")];
    const act = sent.get("act");
    if (act === "verify" || act === "unverify")
      await admin.verifyApplication({
        clientId,
        // Own forms send a version; 1 is the oldest.
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
    // Without the admin role even the act's existence stays hidden.
    else await admin.application({ clientId });
  },
  done: (_, sent) => pathWith("", { done: sent.get("act") }),
  refused: ({ reason, field }) => {
    if (reason === "APPLICATION_CHANGED") return "?error=outdated";
    return field === "reason" ? "?error=no-reason" : undefined;
  },
});
