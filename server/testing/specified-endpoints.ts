import type { Method } from "#server/rest/endpoint";
import type { ScopeName } from "#server/scopes";
import { lanternwatch } from "./banking-world";

/** With a call that the populated world can answer. */
export interface SpecifiedEndpoint {
  readonly method: Method;
  readonly path: string;
  readonly scopes: readonly ScopeName[];
  readonly asked: string;
  readonly body?: unknown;
}

const faction = `/faction/${lanternwatch}`;
const banking = "/faction/<int:faction_id>/banking";
const payment = { amount: 1, type: "money_balance" };

/** Written from the specification, to compare the code with. */
export const specifiedEndpoints: readonly SpecifiedEndpoint[] = [
  {
    method: "GET",
    path: "/faction/<int:faction_id>/attacks/retaliations",
    scopes: ["faction:attacks"],
    asked: `${faction}/attacks/retaliations`,
  },
  {
    method: "GET",
    path: "/faction/banking/vault",
    scopes: ["faction:banking", "service_key:usage"],
    asked: "/faction/banking/vault",
  },
  {
    method: "POST",
    path: banking,
    scopes: ["faction:banking"],
    asked: `${faction}/banking`,
    body: payment,
  },
  {
    method: "DELETE",
    path: `${banking}/<request_id>`,
    scopes: ["faction:banking"],
    asked: `${faction}/banking/1`,
  },
  { method: "GET", path: banking, scopes: ["faction:banking"], asked: `${faction}/banking` },
  { method: "GET", path: "/faction/crime/names", scopes: [], asked: "/faction/crime/names" },
  {
    method: "GET",
    path: "/faction/<int:faction_id>/crime/delays",
    scopes: ["faction:crimes"],
    asked: `${faction}/crime/delays`,
  },
  {
    method: "GET",
    path: "/<int:faction_id>/members",
    scopes: [],
    asked: `/${lanternwatch}/members`,
  },
  { method: "GET", path: "/faction/positions", scopes: ["faction"], asked: "/faction/positions" },
  { method: "POST", path: "/stat/chain-list", scopes: [], asked: "/stat/chain-list" },
  { method: "GET", path: "/stocks", scopes: [], asked: "/stocks" },
  { method: "GET", path: "/user", scopes: ["identity"], asked: "/user" },
  { method: "GET", path: "/user/<int:user_id>", scopes: [], asked: "/user/1003" },
  { method: "GET", path: "/user/estimate/<int:user_id>", scopes: [], asked: "/user/estimate/1003" },
  { method: "GET", path: "/user/<int:user_id>/stat", scopes: [], asked: "/user/1003/stat" },
];

/** Not in the specification, or without method and path there. */
export const addedEndpoints: readonly SpecifiedEndpoint[] = [
  {
    method: "GET",
    path: "/faction/<int:faction_id>/members",
    scopes: [],
    asked: `${faction}/members`,
  },
  { method: "GET", path: "/stocks/benefits", scopes: [], asked: "/stocks/benefits" },
  { method: "GET", path: "/stocks/movers", scopes: [], asked: "/stocks/movers" },
  { method: "GET", path: "/events", scopes: [], asked: "/events" },
];
