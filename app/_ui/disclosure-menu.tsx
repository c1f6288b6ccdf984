"use client";

import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";

type Props = {
  summary: ReactNode;
  children: ReactNode;
  className?: string;
  summaryClassName?: string;
};

/**
 * A details element, which works without script. Script adds closing on Escape, outside click,
 * focus loss and navigation. Content: links and forms.
 */
export function DisclosureMenu({ summary, children, className, summaryClassName }: Props) {
  const details = useRef<HTMLDetailsElement>(null);
  const path = usePathname();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what the effect waits for, though it does not read it.
  useEffect(() => {
    details.current?.removeAttribute("open");
  }, [path]);

  useEffect(() => {
    const element = details.current;
    if (!element) return;
    const close = () => element.removeAttribute("open");
    const leave = (event: Event) => {
      if (event.target instanceof Node && !element.contains(event.target)) close();
    };
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !element.open) return;
      close();
      element.querySelector("summary")?.focus();
    };
    document.addEventListener("pointerdown", leave);
    document.addEventListener("focusin", leave);
    element.addEventListener("keydown", closeOnEscape);
    return () => {
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("focusin", leave);
      element.removeEventListener("keydown", closeOnEscape);
    };
  }, []);

  return (
    <details ref={details} className={className}>
      <summary className={summaryClassName}>{summary}</summary>
      {children}
    </details>
  );
}
