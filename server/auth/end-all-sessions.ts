import type { Queryable } from "#db/client";
import { deleteSessionsOf } from "./store";

/**
 * Signs an account out everywhere, as part of a greater act that is audited by whoever does it.
 * @returns how many sessions ended
 */
export const endAllSessions = (tx: Queryable, accountId: string): Promise<number> => deleteSessionsOf(tx, accountId);
