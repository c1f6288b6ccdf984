import { z } from "zod";
import { dayMs } from "#server/platform/time";

/** Days; null lasts until it is revoked. */
export const approvalDays = { day: 1, month: 30, revoked: null } as const;

export const ApprovalLength = z.enum(Object.keys(approvalDays) as (keyof typeof approvalDays)[]);

export const endAfter = (days: number | null, now: Date): Date | null =>
  days === null ? null : new Date(now.getTime() + days * dayMs);
