import { daySeconds, secondMs } from "#server/platform/time";
import { endpoint, reply } from "#server/rest/endpoint";
import { StockBenefits } from "../contract";
import { type Benefit, listBenefits } from "../list-benefits";

const unpricedSeconds = 60;

export const getStockBenefits = endpoint({
  method: "GET",
  path: "/stocks/benefits",
  title: "Get Stock Benefits Data",
  description:
    "What the holders of each stock get. `active` pays money, items or points every `frequency` days; `passive` grants a perk for as long as the shares are held; `non_rev` pays what has no price, such as energy. Values are for one payment, at market prices. Cached for one day.",
  tag: "Stocks",
  scopes: [],
  returns: StockBenefits,
  fails: [],
  cache: { seconds: daySeconds },
  etag: true,
  handle: async ({ ctx }) => {
    const { active, passive, nonRevenue, priced } = await listBenefits(ctx);
    const known = active.length + passive.length + nonRevenue.length > 0;
    const soon = new Date(ctx.now().getTime() + unpricedSeconds * secondMs);
    return reply(
      { active: active.map(onWire), passive: passive.map(onWire), non_rev: nonRevenue.map(onWire) },
      priced && known ? {} : { freshUntil: known ? soon : ctx.now() },
    );
  },
});

const onWire = ({ stockId, requirement, frequency, description, item, value }: Benefit) => ({
  stock_id: stockId,
  benefit: {
    requirement,
    frequency,
    description,
    item: item && { tid: item.itemId, name: item.name, description: item.description },
    value,
  },
});
