import { form } from "#app/_lib/form";

/** One by its id, or all but this one. */
export const POST = form({
  page: "/account/sessions",
  procedure: ({ session }, sent) => {
    const id = sent.get("id");
    if (id !== undefined) return session.end({ id });
    return sent.get("others") === "yes" ? session.endOthers() : undefined;
  },
  done: "?done=ended",
});
