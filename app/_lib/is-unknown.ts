import { failureBehind } from "#server/trpc/refusal";

/** Whether a procedure threw because what was asked for does not exist. */
export const isUnknown = (thrown: unknown): boolean => failureBehind(thrown)?.kind.status === 404;
