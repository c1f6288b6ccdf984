import { keyTypes } from "#simulator/keys";
import { section } from "./section";

/** `/key/…`: about the calling key. Works with every key. */
export const key = section({
  find: (id, ask) => (id === null ? ask.key : null),
  selections: {
    info: {
      level: 1,
      answer: (asking, { world, owner, readable }) => ({
        info: {
          selections: readable,
          user: {
            faction_id: world.membership(owner)?.faction.id ?? null,
            company_id: null,
            id: owner.id,
          },
          access: {
            level: asking.level,
            type: keyTypes[asking.level],
            faction: world.hasFactionAccess(owner),
            company: false,
            log: { custom_permissions: false, available: [] },
          },
        },
      }),
    },
  },
});
