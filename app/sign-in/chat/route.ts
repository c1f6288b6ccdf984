import { formHandler } from "#app/_lib/form";
import { readDestinationFields } from "../destination";

export const POST = formHandler({
  token: false,
  procedure: ({ chat }, sent) => chat.startSignIn(readDestinationFields(sent)),
  done: ({ location }) => location,
});
