import { redirect } from "next/navigation";
import { adminTitle, requireAdmin } from "#app/_lib/current-user";

export const generateMetadata = () => adminTitle("Start");

/** Applications are what an admin comes for most. */
export default async function Admin() {
  await requireAdmin();
  redirect("/admin/applications");
}
