import type { Context } from "#server/context";
import { ModelCard } from "./model/model-card";
import { findCardInForce } from "./store";

/** The card of the model that answers at the moment; null while there is none. It holds no player. */
export async function showModelCard(ctx: Context): Promise<ModelCard | null> {
  const { data } = ModelCard.safeParse(await findCardInForce(ctx.database.query));
  return data ?? null;
}
