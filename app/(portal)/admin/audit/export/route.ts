import { fileAnswer, formHandler } from "#app/_lib/form";
import { readUtc } from "#app/_lib/search-params";

export const POST = formHandler({
  page: "/admin/audit",
  procedure: ({ operations }, sent) =>
    operations.exportAudit({
      days: sent.number("days"),
      act: sent.get("act"),
      account: sent.get("account"),
      clientId: sent.get("client"),
      search: sent.get("search"),
      since: readUtc(sent.get("since") ?? "", "start") ?? undefined,
      until: readUtc(sent.get("until") ?? "") ?? undefined,
    }),
  done: ({ lines }) =>
    fileAnswer(lines, { name: "adjutant-audit.jsonl", type: "application/x-ndjson" }),
});
