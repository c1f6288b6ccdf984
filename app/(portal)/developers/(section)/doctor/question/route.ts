import { formHandler } from "#app/_lib/form";
import { longestPasted } from "#server/oauth/clients/read-pasted";

const tooLong = "?error=too-long";

/** Secrets must not enter an address, so the pasted text is posted and masked first. */
export const POST = formHandler({
  page: "/developers/doctor",
  procedure: ({ doctor }, sent) => doctor.mask({ text: sent.get("ask") ?? "" }),
  done: (ask) => {
    // Masking replaces secrets by longer hashes, so the text may have grown.
    if (ask.length > longestPasted) return tooLong;
    return ask === "" ? "" : `?${new URLSearchParams({ ask })}`;
  },
  refused: () => tooLong,
});
