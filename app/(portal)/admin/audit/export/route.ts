import { z } from "zod";
import { form } from "#app/_lib/form";
import { AuditExport } from "#server/admin/contract";

const headers = {
  "content-type": "application/x-ndjson; charset=utf-8",
  "content-disposition": 'attachment; filename="adjutant-audit.jsonl"',
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

export const POST = form({
  page: "/admin/audit",
  fields: AuditExport.extend({ days: z.coerce.number() }),
  procedure: ({ operations }, fields) => operations.exportAudit(fields as AuditExport),
  done: ({ lines }) => new Response(lines, { headers }),
});
