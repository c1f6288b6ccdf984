import { fileAnswer, formHandler } from "#app/_lib/form";

const filters = ["state", "active", "name"];

export const POST = formHandler({
  page: "/faction",
  typed: filters,
  procedure: ({ factionBoard }, sent) =>
    factionBoard.membersFile({
      state: sent.get("state"),
      active: sent.get("active"),
      name: sent.get("name"),
    }),
  done: (text) => fileAnswer(text, { name: "adjutant-members.csv", type: "text/csv" }),
});
