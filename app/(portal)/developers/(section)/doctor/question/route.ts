import { formHandler } from "#app/_lib/form";
import { longestPasted } from "#server/oauth/clients/read-pasted";

const tooLong = "?error=too-long";

/** Secrets must not enter an address, so the pasted text is posted and masked first. */
export const POST = formHandler({
  page: "/developers/doctor",
  procedure: ({ doctor }, sent) => doctor.mask({ text: sent.get("ask") ?? "" }),
  done: (ask) => {
    // Hashes are longer than the secrets that they replace.
    if (ask.length > longestPasted) return tooLong;
    return ask === "" ? "" : `?${new URLSearchParams({ ask })}`;
  },
  refused: () => tooLong,
});
