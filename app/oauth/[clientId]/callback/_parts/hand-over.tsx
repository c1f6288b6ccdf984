"use client";

import { useEffect } from "react";
import { type FlowAnswer, isAwaited, keepAnswer } from "../../../../_lib/playground-flow";

type Props = { clientId: string; answer: FlowAnswer };

/**
 * Where the playground of this tab waits for this answer, takes it back there. In every case the code leaves the address
 * bar, and with it the history.
 */
export function HandOver({ clientId, answer }: Props) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer is what the address held when the page came, once.
  useEffect(() => {
    if (isAwaited(answer, clientId)) {
      keepAnswer(answer);
      location.replace("/developers/playground");
      return;
    }
    if (location.search) history.replaceState(null, "", location.pathname);
  }, []);
  return null;
}
