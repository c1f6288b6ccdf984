import type { Sent } from "#app/_lib/form";

/** Keeps a shown balance visible. */
export const withBalance = (sent: Sent): string =>
  sent.get("balance") === "show" ? "&balance=show" : "";
