import type { Endpoint } from "./endpoint";
import { alwaysSent } from "./events";

/** Whether an endpoint is sent events of this type. */
export const isChosen = ({ types }: Pick<Endpoint, "types">, type: string): boolean =>
  alwaysSent.includes(type) || types.includes(type);
