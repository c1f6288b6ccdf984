import { minuteMs } from "#server/platform/time";
import { crimeTypes, slotsOf, tools } from "#simulator/crime-types";
import type { ListedItem } from "#simulator/item-list";
import type { ListedStock } from "#simulator/market";
import { type CallContext, section } from "./section";

interface TornSubject {
  readonly stock: ListedStock | null;
}

/** Only stocks can be requested one by one. */
const noSuchId = ({ stock }: TornSubject) => (stock ? 6 : null);

/** `/torn/…`: the same for every key. */
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
        stocks: stock
          ? detailedStockObject(stock, ask)
          : ask.stockMarket.stocks.map((one) => stockObject(one, ask)),
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
          description: `A crime for ${type.roles.length}.`,
          difficulty: type.difficulty,
          spawn: {
            level: Math.ceil(type.difficulty / 2),
            name: `Tier ${Math.ceil(type.difficulty / 2)}`,
          },
          scope: { cost: type.difficulty, return: Math.floor(type.difficulty / 2) },
          prerequisite: null,
          slots: slotsOf(type.roles, behaviour.now().slotNumbers).map(({ role, info }) => {
            const tool = tools[role];
            return {
              // The game has been seen to omit a name in the newest kind of crime.
              name: place === crimeTypes.length - 1 && info.id === "P1" ? null : role,
              position_info: info,
              required_item: tool
                ? { id: tool.itemId, name: tool.name, is_used: !tool.reusable }
                : null,
            };
          }),
        })),
      }),
    },
  },
});

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

function itemObject(item: ListedItem, { prices, now }: CallContext) {
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

const hourMinutes = 60;
/** One point an hour. */
const chartHours = 31 * 24;

function stockObject(stock: ListedStock, { stockMarket, now }: CallContext) {
  const { id, name, acronym, bonus } = stock;
  const { price, cap, shares, investors } = stockMarket.quote(
    stock,
    stockMarket.visibleMinute(now),
  );
  const images = {
    logo: `https://game.invalid/stocks/${acronym}.svg`,
    full: `https://game.invalid/stocks/${id}.png`,
  };
  return { id, name, acronym, images, market: { price, cap, shares, investors }, bonus };
}

/** `torn/{stockId}/stocks`: adds the price history, oldest first. */
function detailedStockObject(stock: ListedStock, ask: CallContext) {
  const { stockMarket, now } = ask;
  const newest = Math.floor(stockMarket.visibleMinute(now) / hourMinutes) * hourMinutes;
  const history = Array.from({ length: chartHours }, (_, index) => {
    const at = newest - (chartHours - 1 - index) * hourMinutes;
    const price = stockMarket.price(stock, at);
    const change = price - stockMarket.price(stock, at - hourMinutes);
    return { timestamp: (at * minuteMs) / 1_000, price, change: Math.round(change * 100) / 100 };
  });
  return { ...stockObject(stock, ask), chart: { history } };
}
