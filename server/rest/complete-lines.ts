import { minuteOf } from "#server/platform/limiter/limiter";
import type { RequestLogLine } from "./store";

/** A call as it was answered, of which it may not be known yet whose token it carried. */
export interface AnsweredCall extends Omit<RequestLogLine, "failure"> {
  readonly failure?: RequestLogLine["failure"];
  /** What a token that did not let the call through would be stored under. */
  readonly tokenHashes?: readonly string[] | undefined;
}

/** Whose tokens are, or were, stored under these hashes. */
export type FindOwners = (hashes: readonly string[]) => Promise<
  ReadonlyMap<
    string,
    Pick<RequestLogLine, "clientId" | "accountId"> & {
      readonly ended: NonNullable<RequestLogLine["failure"]>["token"] | null;
    }
  >
>;

/**
 * Of an application and a minute, in each process. A client that keeps sending a dead token could fill its developer's
 * list, and refused calls could fill the log: beyond these numbers they are counted without a note, or without an application, or not written.
 */
const mostDead = 60;
const mostNotes = 120;
/** Calls of nobody's that were refused for their rate. A process writes so many a minute; the metrics count them all. */
const mostRefused = 600;

/**
 * Finds out which applications the tokens belonged to that let nobody through, all those of a batch at once and after their
 * answers, so that calls with a live token pay nothing for it; and bounds what is written of failures.
 */
export function createCompletion(findOwners: FindOwners) {
  let minute = 0;
  const counts = new Map<string, number>();
  const mayCount = (what: string, most: number): boolean => {
    const count = counts.get(what) ?? 0;
    counts.set(what, count + 1);
    return count < most;
  };
  return async (calls: readonly AnsweredCall[]): Promise<RequestLogLine[]> => {
    const owners = await findOwners(calls.flatMap(({ tokenHashes = [] }) => tokenHashes));
    return calls.flatMap(({ tokenHashes = [], failure = null, ...call }) => {
      if (minuteOf(call.at) !== minute) {
        minute = minuteOf(call.at);
        counts.clear();
      }
      const owner = tokenHashes.map((hash) => owners.get(hash)).find(Boolean);
      const { accountId, clientId } = owner && mayCount(`dead ${owner.clientId}`, mostDead) ? owner : call;
      if (clientId === null && call.status === 429 && !mayCount("refused", mostRefused)) return [];
      if (!failure || clientId === null || !mayCount(`notes ${clientId}`, mostNotes))
        return { ...call, accountId, clientId, failure: null };
      return { ...call, accountId, clientId, failure: owner?.ended ? { ...failure, token: owner.ended } : failure };
    });
  };
}
