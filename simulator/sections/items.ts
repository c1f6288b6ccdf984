import type { ListedItem } from "#simulator/item-list";
import type { Ask } from "./section";

/** The row of `torn/items`. */
export function itemObject(item: ListedItem, { goods, now }: Ask) {
  const { id, name, description, type } = item;
  const price = goods.marketPrice(item, now);
  return {
    id,
    name,
    description,
    effect: null,
    requirement: null,
    image: `https://game.invalid/items/${id}.png`,
    type,
    sub_type: null,
    is_masked: false,
    is_tradable: price !== null,
    is_found_in_city: false,
    value: {
      vendor: null,
      buy_price: null,
      sell_price: price === null ? null : Math.floor(price * 0.6),
      market_price: price,
    },
    circulation: 1_000 + id * 37,
    details: null,
  };
}
