import type { ReactNode } from "react";
import { currentViewer } from "#app/_lib/current-user";
import { AccountNav } from "./_parts/account-nav";

export default async function AccountSection({ children }: { children: ReactNode }) {
  return <AccountNav counted={(await currentViewer())?.links ?? []}>{children}</AccountNav>;
}
