import { z } from "zod";
import { fileAnswer, form } from "#app/_lib/form";
import { callFields, readCallQuery } from "../_parts/call-filters";

const filters = Object.fromEntries(callFields.map((name) => [name, z.string().optional()]));

export const POST = form({
  page: ({ clientId = "" }) => `/developers/apps/${encodeURIComponent(clientId)}/requests`,
  fields: z.object({ clientId: z.string(), ...filters }),
  procedure: ({ applications }, { clientId, ...fields }) => {
    const { after: _, ...filter } = readCallQuery(fields).filter;
    return applications.callsFile({ clientId, ...filter });
  },
  done: (text) => fileAnswer(text, { name: "adjutant-calls.csv", type: "text/csv" }),
});
