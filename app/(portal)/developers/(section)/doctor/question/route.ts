import { form } from "#app/_lib/form";
import { longestPasted } from "#server/oauth/clients/read-pasted";

const tooLong = "?error=too-long";

/** The page's address must contain no secret, so a pasted text is posted first. */
export const POST = form({
  page: "/developers/doctor",
  procedure: ({ doctor }, sent) => doctor.mask({ text: sent.get("ask") ?? "" }),
  done: (ask) => {
    // Hashes are longer than the secrets that they replace.
    if (ask.length > longestPasted) return tooLong;
    return ask === "" ? "" : `?${new URLSearchParams({ ask })}`;
  },
  refused: () => tooLong,
});
