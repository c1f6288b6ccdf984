import { z } from "zod";
import { form } from "#app/_lib/form";
import { destination } from "#app/sign-in/destination";
import { backToConfirm, wayOn } from "../way-on";

export const POST = form({
  fields: z.object({ answer: z.string().default(""), ...destination }),
  procedure: ({ confirmation }, { answer }) => confirmation.withPasskey({ answer }),
  done: (_, to) => wayOn(to),
  refused: backToConfirm,
});
