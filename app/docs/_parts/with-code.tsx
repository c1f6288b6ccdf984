import type { ReactNode } from "react";

export function InlineCode({ children }: { children: ReactNode }) {
  return (
    <code className="rounded-tag bg-sunken px-1 py-0.5 font-mono text-[0.875em] wrap-anywhere">
      {children}
    </code>
  );
}

/** Backticks mark code. */
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

/** Backticks mark code. */
export function Prose({ children }: { children: string }) {
  return (
    <p className="text-ink-soft">
      <WithCode text={children} />
    </p>
  );
}

/** Backticks mark code. */
export const ProseList = ({ items }: { items: readonly string[] }) => (
  <ul className="grid list-disc gap-2 pl-5 text-ink-soft">
    {items.map((item) => (
      <li key={item}>
        <WithCode text={item} />
      </li>
    ))}
  </ul>
);
