import { form } from "#app/_lib/form";
import { destinationOf } from "../destination";

export const POST = form({
  token: false,
  procedure: ({ chat }, sent) => chat.startSignIn(destinationOf(sent)),
  done: ({ location }) => location,
});
