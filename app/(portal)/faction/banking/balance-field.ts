import { z } from "zod";

/** The field by which a form of the vault's page says that the balance is shown, so that it still is afterwards. */
export const Balance = z.literal("show").optional().catch(undefined);

/** The same as the rest of an address. */
export const withBalance = (balance: z.output<typeof Balance>) =>
  balance ? `&balance=${balance}` : "";
