// As the server loads it, which bundles no packages, it has no named exports.
import papaparse from "papaparse";
import type { RequestView } from "../show-banking";

/** Names that a spreadsheet would read as a formula, also in the wide letters of East Asia, are written as text. */
const config = { escapeFormulae: /^\s*[=+\-@＝＋－＠]|^[\t\r]/, header: true };

/** Closed requests as CSV: a line of column names, then one line each, with times in UTC. */
export const ledgerCsv = (requests: readonly RequestView[]): string =>
  papaparse.unparse(
    {
      fields: columns.map(([name]) => name),
      data: requests.map((request) => columns.map(([, read]) => read(request))),
    },
    config,
  );

const columns: readonly (readonly [string, (request: RequestView) => string | number])[] = [
  ["request_id", ({ id }) => id],
  ["member_id", ({ requester }) => requester.playerId],
  ["member", ({ requester }) => requester.name],
  ["amount", ({ amount }) => amount],
  ["currency", ({ currency }) => (currency === "money_balance" ? "money" : "points")],
  ["outcome", ({ outcome }) => outcome],
  ["requested_at", ({ requestedAt }) => requestedAt.toISOString()],
  ["closed_at", ({ closedAt }) => closedAt?.toISOString() ?? ""],
  ["closed_by_id", ({ closer }) => closer?.playerId ?? ""],
  ["closed_by", ({ closer }) => closer?.name ?? ""],
];
