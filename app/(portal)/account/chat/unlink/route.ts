import { form } from "#app/_lib/form";

export const POST = form({
  page: "/account",
  procedure: ({ chat }) => chat.unlink(),
  done: "?chat=unlinked",
});
