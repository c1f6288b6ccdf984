"use client";

import { useState } from "react";
import type { PortalClient } from "./portal-client";

/**
 * An act through the portal's procedures, and whether it is under way. Its client is loaded with the first act: a page that
 * is only read does without.
 */
export function useAct<Input, Output>(act: (portal: PortalClient, input: Input) => Promise<Output>) {
  const [busy, setBusy] = useState(false);
  return {
    busy,
    /** Throws what the procedure refused; see readRefusal. */
    run: async (input: Input): Promise<Output> => {
      setBusy(true);
      try {
        const { portalClient } = await import("./portal-client");
        return await act(portalClient, input);
      } finally {
        setBusy(false);
      }
    },
  };
}
