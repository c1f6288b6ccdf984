import { formHandler } from "#app/_lib/form";

/** Ends one session by its id, or all but the current one. */
export const POST = formHandler({
  page: "/account/sessions",
  procedure: ({ session }, sent) => {
    const id = sent.get("id");
    if (id !== undefined) return session.end({ id });
    return sent.get("others") === "yes" ? session.endOthers() : undefined;
  },
  done: "?done=ended",
});
