import type { Queryable } from "#db/client";
import { findSecondFactor } from "./store";

/** Whether a sign-in to the account asks for a second factor. */
export const hasSecondFactor = async (on: Queryable, accountId: string): Promise<boolean> =>
  (await findSecondFactor(on, accountId))?.confirmedAt != null;
