import { form } from "#app/_lib/form";

const longestAsked = 8_000;
const tooLong = "?error=too-long";

/** The page's address must contain no secret, so a pasted text is posted first. */
export const POST = form({
  page: "/developers/doctor",
  procedure: ({ doctor }, sent) => doctor.mask({ text: sent.get("ask") ?? "" }),
  done: (ask) => {
    // Hashes are longer than the secrets that they replace.
    if (ask.length > longestAsked) return tooLong;
    return ask === "" ? "" : `?${new URLSearchParams({ ask })}`;
  },
  refused: () => tooLong,
});
