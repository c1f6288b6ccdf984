import { section } from "./section";

/** `/market/…`: what is offered. */
export const market = section({
  find: (id) => (id === null ? true : null),
  selections: {
    pointsmarket: {
      level: 1,
      answer: (_, { prices, now }) => {
        const offers = prices.pointOffers(now).map(({ id, cost, quantity }) => {
          const total_cost = cost * quantity;
          return [id, { cost, quantity, total_cost }] as const;
        });
        return { pointsmarket: Object.fromEntries(offers) };
      },
    },
  },
});
