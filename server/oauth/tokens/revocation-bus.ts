import { z } from "zod";
import { afterCommit, type Database, type Queryable } from "#db/client";
import type { Revocation } from "#server/context";

/** On this channel processes hear which rights ended. */
export const revocationChannel = "adjutant_revocations";

const Message = z.union([
  z.object({ grantId: z.string() }),
  z.object({ consentId: z.string() }),
  z.object({ clientId: z.string() }),
  z.object({ accountId: z.string() }),
]);

export interface RevocationBus {
  /** Makes every instance forget: this one at the commit, the others a moment later, or within a second by themselves. */
  announce(on: Queryable, revocation: Revocation): Promise<void>;
  /** Revocations announced here whose transaction may not have committed yet. */
  pending(): readonly Revocation[];
}

/** Milliseconds. A transaction that was rolled back never commits, and none takes longer than ten seconds. */
const longestWait = 15_000;

/**
 * Joins the instances on this database.
 * @param onRevocation is called for each revocation: when it is announced here, at its commit, and when another instance announced it
 * @param onDrop is called when messages may have been missed
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
