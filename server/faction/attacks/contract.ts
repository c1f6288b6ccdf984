import { z } from "zod";
import { toUnixSeconds } from "#server/platform/time";
import { PlayerId, UnixSeconds } from "#server/rest/shapes";
import type { Hit } from "./store";

const PlayerReference = z
  .object({ ID: PlayerId, name: z.string().meta({ examples: ["Cleo_Marsh"] }) })
  .meta({ id: "PlayerReference" });

export const Retaliation = z
  .object({
    code: z.string().meta({
      description: "The game's code of the attack.",
      examples: ["3f9d0c4b7a5e4d1f8b6c2a1e0d9f8c7b"],
    }),
    attack_ended: UnixSeconds.meta({
      description: "When the attack ended. The retaliation is open for five minutes.",
    }),
    defender: PlayerReference.meta({ description: "The member who was hit." }),
    attacker: PlayerReference.meta({
      description: "Who struck.",
      examples: [{ ID: 2_400_007, name: "Dane_Cutter" }],
    }),
  })
  .meta({ id: "Retaliation" });

export const retaliationRecord = (hit: Hit): z.output<typeof Retaliation> => ({
  code: hit.code,
  attack_ended: toUnixSeconds(hit.attackEnded),
  defender: { ID: hit.defenderId, name: hit.defenderName },
  attacker: { ID: hit.attackerId, name: hit.attackerName },
});
