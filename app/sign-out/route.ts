import { formHandler } from "#app/_lib/form";

/** Idempotent. */
export const POST = formHandler({
  procedure: ({ session }) => session.signOut(),
  done: "/",
});
