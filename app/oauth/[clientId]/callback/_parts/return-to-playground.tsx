"use client";

import { useEffect } from "react";
import { type FlowAnswer, pageAwaiting, saveAnswer } from "#app/_lib/playground-flow";

/**
 * Where a page of this tab waits for this answer, takes it back there. In every case the code leaves the address
 * bar, and with it the history.
 */
export function ReturnToPlayground({ clientId }: { clientId: string }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer is what the address held when the page came, once.
  useEffect(() => {
    const answer = readAnswer(location.search);
    const page = pageAwaiting(answer, clientId);
    if (page !== undefined) {
      saveAnswer(answer);
      location.replace(page);
      return;
    }
    if (location.search) history.replaceState(null, "", location.pathname);
  }, []);
  return null;
}

function readAnswer(search: string): FlowAnswer {
  const sent = new URLSearchParams(search);
  const read = (name: string) => sent.get(name) ?? undefined;
  return {
    code: read("code"),
    state: read("state"),
    iss: read("iss"),
    error: read("error"),
    errorDescription: read("error_description"),
  };
}
