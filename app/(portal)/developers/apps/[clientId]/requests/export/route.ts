import { fileAnswer, formHandler } from "#app/_lib/form";
import { callQueryFields, readCallQuery } from "../_parts/request-log";

export const POST = formHandler({
  page: "/developers/apps/[clientId]/requests",
  procedure: ({ applications }, sent) => {
    const chosen = Object.fromEntries(callQueryFields.map((name) => [name, sent.get(name)]));
    const { after: _, ...filter } = readCallQuery(chosen).filter;
    return applications.callsFile({ clientId: sent.get("clientId"), ...filter });
  },
  done: (text) => fileAnswer(text, { name: "adjutant-calls.csv", type: "text/csv" }),
});
