import { formHandler } from "#app/_lib/form";
import { destinationOf } from "../destination";

export const POST = formHandler({
  token: false,
  procedure: ({ chat }, sent) => chat.startSignIn(destinationOf(sent)),
  done: ({ location }) => location,
});
