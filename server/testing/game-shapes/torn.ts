import { z } from "zod";
import { positionInfo } from "./crimes";
import { count, id, seconds, text } from "./objects";

const price = z.number().positive();
const stock = {
  id,
  name: text,
  acronym: z.string().regex(/^[A-Z]{2,4}$/),
  images: z.strictObject({ logo: z.url(), full: z.url() }),
  market: z.strictObject({ price, cap: count, shares: count, investors: count }),
  bonus: z.strictObject({
    passive: z.boolean(),
    frequency: count.nullable(),
    requirement: count,
    description: text,
  }),
};
const chart = z.strictObject({
  history: z.array(z.strictObject({ timestamp: seconds, price, change: z.number() })).min(24),
});
const item = z.strictObject({
  id,
  name: text,
  description: text,
  effect: text.nullable(),
  requirement: text.nullable(),
  image: z.url(),
  type: text,
  sub_type: text.nullable(),
  is_masked: z.boolean(),
  is_tradable: z.boolean(),
  is_found_in_city: z.boolean(),
  value: z.strictObject({
    vendor: z.null(),
    buy_price: count.nullable(),
    sell_price: count.nullable(),
    market_price: count.nullable(),
  }),
  circulation: count,
  details: z.null(),
});

export const tornShapes = {
  organizedcrimes: z.strictObject({
    organizedcrimes: z.array(
      z.strictObject({
        name: text,
        description: text,
        difficulty: z.int().min(1).max(10),
        spawn: z.strictObject({ level: z.int().min(1).max(5), name: text }),
        scope: z.strictObject({ cost: count, return: count }),
        prerequisite: text.nullable(),
        slots: z.array(
          z.strictObject({
            /** Not always text, contrary to the documentation. */
            name: text.nullable(),
            position_info: positionInfo,
            required_item: z.strictObject({ id, name: text, is_used: z.boolean() }).nullable(),
          }),
        ),
      }),
    ),
  }),
  stocks: z.strictObject({
    stocks: z.union([z.array(z.strictObject(stock)), z.strictObject({ ...stock, chart })]),
  }),
  items: z.strictObject({ items: z.array(item) }),
};

export const marketShapes = {
  pointsmarket: z.strictObject({
    pointsmarket: z.record(
      z.string().regex(/^[0-9]+$/),
      z.strictObject({ cost: count, quantity: id, total_cost: count }),
    ),
  }),
};
