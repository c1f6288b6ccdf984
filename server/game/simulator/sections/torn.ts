import { crimeTypes } from "../crime-types";
import { section, unixSeconds } from "./section";

/** `/torn/…`: the same for everybody. */
export const torn = section({
  find: (id) => (id === null ? crimeTypes : null),
  selections: {
    organizedcrimes: {
      level: 1,
      answer: (types) => ({
        organizedcrimes: types.map((type) => ({
          name: type.name,
          description: type.description,
          difficulty: type.difficulty,
          spawn: { level: Math.ceil(type.difficulty / 2), name: `Tier ${Math.ceil(type.difficulty / 2)}` },
          scope: { cost: type.difficulty, return: Math.floor(type.difficulty / 2) },
          prerequisite: null,
          slots: type.roles.map((role, index) => ({
            name: role,
            position_info: { id: `P${index + 1}`, label: role, number: index + 1 },
            required_item: null,
          })),
        })),
      }),
    },
    timestamp: {
      level: 1,
      answer: (_, { now }) => ({ timestamp: unixSeconds(now) }),
    },
  },
});
