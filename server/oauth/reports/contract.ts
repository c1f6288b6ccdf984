import { z } from "zod";
import { text } from "#server/platform/input-schemas";
import type { ReportReason } from "./store";

export const reportReasons: Readonly<Record<ReportReason, string>> = {
  impersonation: "It pretends to be somebody else",
  scopes: "It asks for more than it needs",
  misuse: "It misuses data or access",
  abuse: "It spams or cheats",
  other: "Something else",
};

export const longestReport = 1_000;

export const ReportInput = z.object({
  clientId: text(100),
  reason: z.enum(Object.keys(reportReasons) as [ReportReason, ...ReportReason[]], {
    error: "Choose a reason.",
  }),
  text: text(longestReport).trim().default(""),
});
export type ReportInput = z.output<typeof ReportInput>;
