import type { ReactNode } from "react";

export function InlineCode({ children }: { children: ReactNode }) {
  return <code className="rounded-tag bg-sunken px-1 py-0.5 font-mono text-[0.875em] wrap-anywhere">{children}</code>;
}
