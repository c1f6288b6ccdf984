import { z } from "zod";
import { defineEventType } from "#server/event-log/event-type";
import { UnixSeconds } from "#server/rest/shapes";

export const stocksTick = defineEventType({
  type: "stocks.tick",
  title: "Stocks tick",
  description: "A new market tick (every minute). Every application gets it, without a player.",
  told: "the stock market ticks",
  tag: "Stocks",
  scope: null,
  subject: "stocks",
  changed: ["timestamp", "price", "market_cap", "shares", "investors"],
  data: z.object({
    tick: UnixSeconds.meta({ description: "The tick, as `timestamp` of the records." }),
  }),
  example: { subject: "stocks", data: { tick: 1_767_225_600 } },
  href: () => "/stocks",
});
