import { z } from "zod";
import { fileAnswer, form } from "#app/_lib/form";
import { AuditExport } from "#server/admin/contract";

export const POST = form({
  page: "/admin/audit",
  fields: AuditExport.extend({ days: z.coerce.number() }),
  procedure: ({ operations }, fields) => operations.exportAudit(fields as AuditExport),
  done: ({ lines }) =>
    fileAnswer(lines, { name: "adjutant-audit.jsonl", type: "application/x-ndjson" }),
});
