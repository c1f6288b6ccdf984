import { toUnixSeconds } from "#server/platform/time";
import { crimeTypes, slotsOf, tools } from "#simulator/crime-types";
import type { ListedItem } from "#simulator/item-list";
import type { ListedStock } from "#simulator/stock-list";
import { type Ask, section } from "./section";
import { detailedStockObject, stockObject } from "./stocks";

/** The row of `torn/items`. */
function itemObject(item: ListedItem, { prices, now }: Ask) {
  const { id, name, description, type } = item;
  const price = prices.marketPrice(item, now);
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

/** The whole of it, or one of its stocks. */
interface TornSubject {
  readonly stock: ListedStock | null;
}

/** Stocks alone are asked about one by one. */
const noSuchId = ({ stock }: TornSubject) => (stock ? 6 : null);

/** `/torn/…`: the same for everybody. */
export const torn = section<TornSubject>({
  find: (id, { stockMarket }) => {
    if (id === null) return { stock: null };
    const stock = stockMarket.find(Number(id));
    return stock && { stock };
  },
  selections: {
    stocks: {
      level: 1,
      answer: ({ stock }, ask) => ({
        stocks: stock ? detailedStockObject(stock, ask) : ask.stockMarket.stocks.map((one) => stockObject(one, ask)),
      }),
    },
    items: {
      level: 1,
      refuses: noSuchId,
      answer: (_, ask) => ({ items: ask.prices.items.map((item) => itemObject(item, ask)) }),
    },
    organizedcrimes: {
      level: 1,
      refuses: noSuchId,
      answer: (_, { behaviour }) => ({
        organizedcrimes: crimeTypes.map((type, place) => ({
          name: type.name,
          description: type.description,
          difficulty: type.difficulty,
          spawn: { level: Math.ceil(type.difficulty / 2), name: `Tier ${Math.ceil(type.difficulty / 2)}` },
          scope: { cost: type.difficulty, return: Math.floor(type.difficulty / 2) },
          prerequisite: null,
          slots: slotsOf(type.roles, behaviour.now().slotNumbers).map(({ role, info }) => {
            const tool = tools[role];
            return {
              // Of the newest kind the game has been seen to leave a name out.
              name: place === crimeTypes.length - 1 && info.id === "P1" ? null : role,
              position_info: info,
              required_item: tool ? { id: tool.itemId, name: tool.name, is_used: !tool.reusable } : null,
            };
          }),
        })),
      }),
    },
    timestamp: {
      level: 1,
      answer: (_, { now }) => ({ timestamp: toUnixSeconds(now) }),
    },
  },
});
