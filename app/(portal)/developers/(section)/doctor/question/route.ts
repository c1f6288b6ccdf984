import { form } from "#app/_lib/form";

/** The page's address must contain no secret, so a pasted text is posted first. */
export const POST = form({
  page: "/developers/doctor",
  procedure: ({ doctor }, sent) => doctor.mask({ text: sent.get("ask") ?? "" }),
  done: (ask) => (ask === "" ? "" : `?${new URLSearchParams({ ask })}`),
  refused: () => "?error=too-long",
});
