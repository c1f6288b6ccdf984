import { z } from "zod";
import { afterCommit, type Database, type Queryable } from "#db/client";
import type { Revocation } from "#server/context";

export const revocationChannel = "adjutant_revocations";

const Message = z.union([
  z.object({ grantId: z.string() }),
  z.object({ consentId: z.string() }),
  z.object({ clientId: z.string() }),
  z.object({ accountId: z.string() }),
  z.object({ factionId: z.int() }),
]);

export interface RevocationBus {
  /** At the commit; elsewhere at most a second later. */
  announce(on: Queryable, revocation: Revocation): Promise<void>;
  /** The transaction may not have committed yet. */
  pending(): readonly Revocation[];
}

/** Milliseconds; no transaction takes longer than ten seconds. */
const longestWait = 15_000;

/**
 * @param onRevocation called when announced here, at its commit, and for other instances
 * @param onDrop called when messages may have been lost
 */
export async function createRevocationBus(
  { database, now }: { readonly database: Database; readonly now: () => Date },
  onRevocation: (revocation: Revocation) => void,
  onDrop: () => void,
): Promise<RevocationBus> {
  const waiting = new Set<{ readonly revocation: Revocation; readonly until: number }>();
  await database.listen(
    revocationChannel,
    (payload) => {
      const revocation = readMessage(payload);
      if (revocation) onRevocation(revocation);
      else onDrop();
    },
    onDrop,
  );
  return {
    announce: async (on, revocation) => {
      const announced = { revocation, until: now().getTime() + longestWait };
      waiting.add(announced);
      onRevocation(revocation);
      afterCommit(on, () => {
        waiting.delete(announced);
        onRevocation(revocation);
      });
      database.notify(on, revocationChannel, JSON.stringify(revocation));
    },
    pending: () => {
      if (waiting.size === 0) return [];
      const instant = now().getTime();
      for (const announced of waiting) if (announced.until <= instant) waiting.delete(announced);
      return [...waiting].map(({ revocation }) => revocation);
    },
  };
}

function readMessage(payload: string): Revocation | undefined {
  try {
    return Message.parse(JSON.parse(payload));
  } catch {
    return undefined;
  }
}
