import { formHandler } from "#app/_lib/form";

export const POST = formHandler({
  page: "/faction/stats",
  procedure: ({ factionStats }, sent) => factionStats.share({ sharing: sent.get("sharing") }),
  done: (_, sent) => `?done=${sent.get("sharing")}`,
});
