import { formHandler } from "#app/_lib/form";
import { readDestinationFields, secondStepErrorPath } from "../../destination";

/** The second step's cookie opens only this step. */
export const POST = formHandler({
  token: false,
  procedure: ({ signIn }, sent) =>
    signIn.withCode({ code: sent.get("code") ?? "", ...readDestinationFields(sent) }),
  done: ({ location }) => location,
  refused: secondStepErrorPath,
});
