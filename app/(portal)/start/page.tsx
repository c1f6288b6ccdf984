import { redirect } from "next/navigation";
import { playerCaller } from "#app/_lib/current-user";

/** A sign-in without a destination leads here. */
export default async function Start(): Promise<never> {
  redirect(await (await playerCaller()).session.startPage());
}
