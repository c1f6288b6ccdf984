import { z } from "zod";
import { form } from "#app/_lib/form";
import { backToConfirm, destination, wayOn } from "#app/sign-in/destination";

export const POST = form({
  fields: z.object({ answer: z.string().default(""), ...destination }),
  procedure: ({ confirmation }, { answer }) => confirmation.withPasskey({ answer }),
  done: (_, to) => wayOn(to),
  refused: backToConfirm,
});
