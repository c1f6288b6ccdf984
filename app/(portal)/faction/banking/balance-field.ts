import { z } from "zod";

/** Field that keeps a shown balance visible. */
export const Balance = z.literal("show").optional().catch(undefined);

export const withBalance = (balance: z.output<typeof Balance>) =>
  balance ? `&balance=${balance}` : "";
