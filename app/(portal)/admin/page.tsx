import { redirect } from "next/navigation";
import { adminTitle, requireAdmin } from "#lib/current-admin";

export const generateMetadata = () => adminTitle("Start");

/** Applications are what an admin comes for most. */
export default async function Admin() {
  await requireAdmin();
  redirect("/admin/applications");
}
