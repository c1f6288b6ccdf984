import { formHandler } from "#app/_lib/form";

export const POST = formHandler({
  page: "/account",
  procedure: ({ chat }) => chat.startLink(),
  done: ({ location }) => location,
});
