import { z } from "zod";

/** Game behaviour that is unknown or may change; a client must work with either value. */
export const Behaviour = z.strictObject({
  /** The fight's time that `from`, `to` and `sort` use. */
  attacksBy: z.enum(["started", "ended"]),
  /** Whether `from` is inclusive. The game's documentation says that it is not. */
  fromIncluded: z.boolean(),
  /** The game has announced that slots will have no number. */
  slotNumbers: z.boolean(),
  /** Whether the cache confuses the pages of a list, as the cache of version 1 does. */
  blindMemory: z.boolean(),
  unfinishedFights: z.boolean(),
  /** Whether a faction's attacks include one that no longer concerns it. */
  foreignAttacks: z.boolean(),
  /** Whether requests without a user agent, or with a library's default one, are rejected. */
  agentsWanted: z.boolean(),
  /** Most rows per player in any 24 hours, each of faction news and personal stats. */
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

/** Defaults are the known behaviour of the real game. */
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

export const isDefaultAgent = (agent: string | null): boolean =>
  !agent || /^(node|undici|axios|got|python|curl|wget|go-http|java|okhttp)\b/i.test(agent);
