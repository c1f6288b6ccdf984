import type { ReactNode } from "react";
import { csrfToken } from "#lib/csrf-token";
import { TrpcProvider } from "#lib/trpc";

export default async function DevelopersLayout({ children }: { children: ReactNode }) {
  return <TrpcProvider csrf={await csrfToken()}>{children}</TrpcProvider>;
}
