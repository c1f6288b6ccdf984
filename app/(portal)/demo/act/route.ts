import { formHandler } from "#app/_lib/form";

export const POST = formHandler({
  page: "/demo",
  procedure: ({ demo }, sent) => demo.act({ act: sent.get("act") }),
  done: (_, sent) => `?did=${sent.get("act")}`,
});
