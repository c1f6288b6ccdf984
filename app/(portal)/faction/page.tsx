import { redirect } from "next/navigation";

/** The faction's pages begin with its vault. */
export default function FactionPage() {
  redirect("/faction/banking");
}
