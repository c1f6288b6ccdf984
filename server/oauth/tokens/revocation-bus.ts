import { z } from "zod";
import type { Database, Queryable } from "#db/client";
import type { Revocation } from "#server/context";
import type { Ids } from "#server/platform/ids";

/** On this channel processes are told whose rights ended. */
export const revocationChannel = "adjutant_revocations";

const Message = z.object({
  /** Tells a process its own message from those of others. */
  from: z.string(),
  revocation: z.union([
    z.object({ grantId: z.string() }),
    z.object({ consentId: z.string() }),
    z.object({ clientId: z.string() }),
    z.object({ accountId: z.string() }),
  ]),
});

export interface RevocationBus {
  /** Tells every instance, this one included. In a transaction it is told at commit. */
  announce(on: Queryable, revocation: Revocation): Promise<void>;
  /** Whether a revocation announced here is still on its way back, so that the database may not show it yet. */
  pending(): readonly Revocation[];
}

/** A transaction that was rolled back never comes back as a message. No statement lives longer than ten seconds. */
const longestWait = 15_000;

/**
 * Joins the instances on this database. A revocation takes effect at the commit of its transaction, which only the database
 * knows: until its own message comes back, the announcing instance treats it as about to happen.
 * @param onRevocation is called for each revocation, when it is announced here and again when the database has it
 * @param onDrop is called when messages may have been missed
 */
export async function createRevocationBus(
  deps: { database: Database; ids: Ids; now: () => Date },
  onRevocation: (revocation: Revocation) => void,
  onDrop: () => void,
): Promise<RevocationBus> {
  const { database, ids, now } = deps;
  const waiting = new Map<string, { revocation: Revocation; until: number }>();
  await database.listen(
    revocationChannel,
    (payload) => {
      const message = readMessage(payload);
      if (!message) return onDrop();
      onRevocation(message.revocation);
      waiting.delete(message.from);
    },
    onDrop,
  );
  return {
    announce: async (on, revocation) => {
      const from = ids.uuid();
      waiting.set(from, { revocation, until: now().getTime() + longestWait });
      onRevocation(revocation);
      await database.notify(on, revocationChannel, JSON.stringify({ from, revocation }));
    },
    pending: () => {
      if (waiting.size === 0) return [];
      const instant = now().getTime();
      for (const [from, { until }] of waiting) if (until <= instant) waiting.delete(from);
      return [...waiting.values()].map(({ revocation }) => revocation);
    },
  };
}

function readMessage(payload: string): z.infer<typeof Message> | undefined {
  try {
    return Message.parse(JSON.parse(payload));
  } catch {
    return undefined;
  }
}
