"use client";

import { ErrorFallback } from "#app/_ui/error-fallback.tsx";

export default function PortalFault({ error, retry }: { error: unknown; retry: () => void }) {
  return <ErrorFallback error={error} retry={retry} />;
}
