import { formHandler } from "#app/_lib/form";

export const POST = formHandler({
  page: "/account/sessions",
  procedure: ({ session }, sent) => {
    const id = sent.get("id");
    if (id !== undefined) return session.end({ id });
    return sent.get("others") === "yes" ? session.endOthers() : undefined;
  },
  done: "?done=ended",
});
