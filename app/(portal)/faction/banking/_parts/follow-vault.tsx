"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { unheardMs, useFactionChanges } from "../../_parts/use-faction-changes";

/** Asks for the page again when requests to the vault have changed. What somebody typed stays. */
export function FollowVault() {
  const { refresh } = useRouter();
  const isHeard = useFactionChanges((parts) => {
    if (parts === "all" || parts.includes("vault")) refresh();
  });
  useEffect(() => {
    if (isHeard) return;
    const timer = setInterval(refresh, unheardMs);
    return () => clearInterval(timer);
  }, [isHeard, refresh]);
  return null;
}
