"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { pollMs, useFactionChanges } from "../../_parts/use-faction-changes";

/** Asks for the page again when requests to the vault have changed. What somebody typed stays. */
export function FollowVault() {
  const { refresh } = useRouter();
  const isConnected = useFactionChanges((parts) => {
    if (parts === "all" || parts.includes("vault")) refresh();
  });
  useEffect(() => {
    if (isConnected) return;
    const timer = setInterval(refresh, pollMs);
    return () => clearInterval(timer);
  }, [isConnected, refresh]);
  return null;
}
