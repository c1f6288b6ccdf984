import { dayMs, hourMs } from "#server/platform/durations";
import { createDraw, noise } from "./draw";
import { type ListedItem, listedItems } from "./item-list";

/** What a point costs on average. */
const pointBase = 44_500;

/** What things and points cost in the simulated game: functions of (seed, thing, hour). */
export function createPrices(seed: number) {
  const baseDraw = createDraw(seed, "item price");
  const waveDraw = createDraw(seed, "item price wave");
  const offerDraw = createDraw(seed, "points offers");
  /** Prices stand for an hour. */
  const wave = (entity: number, now: Date) =>
    0.06 * noise(waveDraw, entity, { time: Math.floor(now.getTime() / hourMs) * hourMs, period: 5 * dayMs });

  return {
    items: listedItems,
    /** Null for what cannot be traded. */
    marketPrice: ({ id, worth }: ListedItem, now: Date): number | null => {
      if (!worth) return null;
      const [low, high] = worth;
      return Math.round(low * (high / low) ** baseDraw.unit(id) * (1 + wave(id, now)));
    },
    /** Offers of points, the cheapest first. */
    pointOffers: (now: Date) => {
      const lowest = Math.round(pointBase * (1 + wave(0, now)));
      return Array.from({ length: 10 }, (_, index) => {
        const hour = Math.floor(now.getTime() / hourMs);
        const cost = lowest + index * 25;
        const quantity = offerDraw.between(index, hour, [1, 500]);
        return { id: 900_000 + (offerDraw.bits(index, hour) % 100_000), cost, quantity };
      });
    },
  };
}
