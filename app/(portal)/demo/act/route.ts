import { form } from "#app/_lib/form";

export const POST = form({
  page: "/demo",
  procedure: ({ demo }, sent) => demo.act({ act: sent.get("act") }),
  done: (_, sent) => `?did=${sent.get("act")}`,
});
