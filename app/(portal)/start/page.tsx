import { redirect } from "next/navigation";
import { caller } from "#app/_lib/caller";
import { requireUser } from "#app/_lib/current-user";

/** Leads on to where its reader begins. A sign-in that was on its way nowhere comes here. */
export default async function Start(): Promise<never> {
  await requireUser();
  redirect(await (await caller()).session.startPage());
}
