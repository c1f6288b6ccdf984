"use client";

import { useState } from "react";
import { type Refused, readRefusal } from "./read-refusal";

/**
 * Runs what a ConfirmDialog asked about. A refusal is said in the dialog; one that wants a confirmation or sign-in stands on
 * the page instead (`refused`), where it can be given, and the dialog closes for it.
 */
export function useConfirmedAct() {
  const [refused, setRefused] = useState<Refused>();
  return {
    refused,
    setRefused,
    /** @returns the sentence for the dialog, or nothing when it may close */
    confirm: async (act: () => Promise<void>): Promise<string | undefined> => {
      setRefused(undefined);
      try {
        await act();
        return undefined;
      } catch (thrown) {
        const why = readRefusal(thrown);
        if (!why.wants) return why.message;
        setRefused(why);
        return undefined;
      }
    },
  };
}
