import { redirect } from "next/navigation";
import { playerCaller } from "#app/_lib/current-user";

/** Default destination of a sign-in. */
export default async function Start(): Promise<never> {
  redirect(await (await playerCaller()).session.startPage());
}
