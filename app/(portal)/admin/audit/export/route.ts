import { fileAnswer, form } from "#app/_lib/form";

export const POST = form({
  page: "/admin/audit",
  procedure: ({ operations }, sent) =>
    operations.exportAudit({
      days: sent.number("days"),
      act: sent.get("act"),
      account: sent.get("account"),
      clientId: sent.get("clientId"),
    }),
  done: ({ lines }) =>
    fileAnswer(lines, { name: "adjutant-audit.jsonl", type: "application/x-ndjson" }),
});
