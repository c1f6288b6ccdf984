"use client";

import { type ComponentProps, lazy, Suspense, useEffect, useState } from "react";
import { hasAnswerFor, tabConnectionStore } from "#app/_parts/playground/flow";
import type { TryCall } from "#app/_parts/playground/try-call.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Skeleton } from "#app/_ui/progress.tsx";

/** Loaded on demand, as most readers do not use it. */
const Loaded = lazy(async () => ({
  default: (await import("#app/_parts/playground/try-call.tsx")).TryCall,
}));

/** Opens on click, and by itself after a sign-in or consent, or if there is a token. */
export function TryIt(props: ComponentProps<typeof TryCall>) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const openIfNamed = () => location.hash === "#try-it" && setOpen(true);
    openIfNamed();
    if (hasAnswerFor(props.page) || tabConnectionStore.get()) setOpen(true);
    addEventListener("hashchange", openIfNamed);
    return () => removeEventListener("hashchange", openIfNamed);
  }, [props.page]);
  if (open)
    return (
      <Suspense fallback={<Skeleton className="h-60 w-full" />}>
        <Loaded {...props} />
      </Suspense>
    );
  return (
    <div>
      <Button variant="primary" className="needs-script" onClick={() => setOpen(true)}>
        Try it
      </Button>
      <noscript>
        <p className="text-ink-soft">Trying a call needs JavaScript.</p>
      </noscript>
    </div>
  );
}
