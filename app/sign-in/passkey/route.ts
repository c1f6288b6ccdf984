import { formHandler } from "#app/_lib/form";
import { readDestinationFields, signInErrorPath } from "../destination";

export const POST = formHandler({
  token: false,
  procedure: ({ signIn }, sent) =>
    signIn.withPasskey({ answer: sent.get("answer") ?? "", ...readDestinationFields(sent) }),
  done: ({ location }) => location,
  refused: signInErrorPath,
});
