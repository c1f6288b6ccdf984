import { fileAnswer, form } from "#app/_lib/form";
import { callFields, readCallQuery } from "../_parts/request-log";

export const POST = form({
  page: "/developers/apps/[clientId]/requests",
  procedure: ({ applications }, sent) => {
    const chosen = Object.fromEntries(callFields.map((name) => [name, sent.get(name)]));
    const { after: _, ...filter } = readCallQuery(chosen).filter;
    return applications.callsFile({ clientId: sent.get("clientId"), ...filter });
  },
  done: (text) => fileAnswer(text, { name: "adjutant-calls.csv", type: "text/csv" }),
});
