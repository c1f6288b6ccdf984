import { redirect } from "next/navigation";
import { caller } from "#app/_lib/caller";
import { requireUser } from "#app/_lib/current-user";

/** Default destination of a sign-in. */
export default async function Start(): Promise<never> {
  await requireUser();
  redirect(await (await caller()).session.startPage());
}
