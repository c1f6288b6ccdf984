import { z } from "zod";

/** Behaviour of the game that is not known or may change; a client must work with either value. */
export const Behaviour = z.strictObject({
  /** Which moment of a fight `from`, `to` and `sort` are about. */
  attacksBy: z.enum(["started", "ended"]),
  /** Whether the second of `from` belongs to what is asked for. The documentation says that it does not. */
  fromIncluded: z.boolean(),
  /** Whether a slot of a crime tells its number, which was announced to go. */
  slotNumbers: z.boolean(),
  /** Whether the memory of answers takes one page of a list for another, as that of version 1 does. */
  blindMemory: z.boolean(),
  /** Whether a fight that goes on is listed, without an end. */
  unfinishedFights: z.boolean(),
  /** Whether a faction's attacks hold one that concerns it no more. */
  foreignAttacks: z.boolean(),
  /** Whether the front turns away who names no user agent, or only the library's own. */
  agentsWanted: z.boolean(),
  /** Rows of faction news, and of personal stats, that a player reads in any 24 hours before the game refuses more. */
  dailyRows: z.int().positive(),
});
export type Behaviour = z.output<typeof Behaviour>;

const known: Behaviour = {
  attacksBy: "ended",
  fromIncluded: false,
  slotNumbers: true,
  blindMemory: false,
  unfinishedFights: false,
  foreignAttacks: false,
  agentsWanted: false,
  dailyRows: 50_000,
};

/** How the simulated game behaves: as is known of the real one, until a verb says otherwise. */
export function createBehaviour() {
  let behaviour = known;
  return {
    now: () => behaviour,
    change: (
      requested: { readonly [Name in keyof Behaviour]?: Behaviour[Name] | undefined },
    ): Behaviour => {
      behaviour = Behaviour.parse({ ...behaviour, ...JSON.parse(JSON.stringify(requested)) });
      return behaviour;
    },
  };
}

/** A user agent that a library sends of itself, or none. */
export const isDefaultAgent = (agent: string | null): boolean =>
  !agent || /^(node|undici|axios|got|python|curl|wget|go-http|java|okhttp)\b/i.test(agent);
