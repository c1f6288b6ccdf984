import { form } from "#app/_lib/form";

export const POST = form({
  page: "/account",
  procedure: ({ chat }) => chat.startLink(),
  done: ({ location }) => location,
});
