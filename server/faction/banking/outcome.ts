import type { VaultRequest } from "./vault-request";

/** What became of a request, as people are told. */
export type Outcome =
  | "waiting"
  /** A banker says that it was paid; the vault's news is still read. */
  | "paid"
  | "verified"
  /** A banker says so, and the vault's news does not. */
  | "unverified"
  /** By somebody. */
  | "cancelled"
  | "expired"
  /** The member left the faction. */
  | "left";

/** Draws it from the record alone: the system cancels for two reasons, and only one of them is the time. */
export function outcomeOf(request: VaultRequest): Outcome {
  const { status, verification, closedBy, closedAt, expiresAt } = request;
  if (status === "pending") return "waiting";
  if (status === "fulfilled") return verification === null || verification === "waiting" ? "paid" : verification;
  if (closedBy !== null) return "cancelled";
  return expiresAt !== null && closedAt !== null && closedAt >= expiresAt ? "expired" : "left";
}
