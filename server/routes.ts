import { listEvents } from "./events/endpoints/list-events";
import {
  cancelVaultRequest,
  createVaultRequest,
  getVaultBalance,
  listVaultRequests,
} from "./faction/banking/endpoints/vault-requests";
import {
  getFactionMembers,
  getFactionPositions,
  getFactionRetaliations,
  getOrganizedCrimeDelays,
  getOrganizedCrimeNames,
} from "./faction/endpoints/faction";
import type { Endpoint } from "./rest/endpoint";
import { generateChainList, getHistoricalStat, getStatEstimate } from "./stats/endpoints/stats";
import { getStockBenefits, getStockMovers, getStocks } from "./stocks/endpoints/stocks";
import { getSpecificUser, getUser } from "./users/endpoints/users";

/** Listed to readers in this order. No other endpoint exists. */
export const routes: readonly Endpoint[] = [
  getFactionRetaliations,
  getOrganizedCrimeNames,
  getOrganizedCrimeDelays,
  getFactionMembers,
  getFactionPositions,

  getVaultBalance,
  createVaultRequest,
  cancelVaultRequest,
  listVaultRequests,

  generateChainList,

  getStocks,
  getStockBenefits,
  getStockMovers,

  getUser,
  getSpecificUser,
  getStatEstimate,
  getHistoricalStat,

  listEvents,
];

export const tags = [
  { name: "Faction", description: "Members, positions, retaliations and OCs of factions." },
  { name: "Banking", description: "Payments that members ask for from their faction's vault." },
  { name: "Stats", description: "How strong players are, as fights and imports told." },
  { name: "Stocks", description: "The stock market: prices, what holders get, and what moved." },
  { name: "Users", description: "Players, as last seen in the game." },
  {
    name: "Events",
    description: "What happened, told as it happens: by webhook, as a stream, or page by page.",
  },
] as const;
