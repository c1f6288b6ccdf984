import type { ReactNode } from "react";

export function InlineCode({ children }: { children: ReactNode }) {
  return (
    <code className="rounded-tag bg-sunken px-1 py-0.5 font-mono text-[0.875em] wrap-anywhere">
      {children}
    </code>
  );
}

export function WithCode({ text }: { text: string }) {
  return text.split(/`([^`]+)`/).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed sentence never move.
      <InlineCode key={index}>{part}</InlineCode>
    ) : (
      part
    ),
  );
}
