"use client";

import { Check, Copy, X } from "lucide-react";
import { useEffect, useState } from "react";
import { buttonStyle, classNames } from "./class-names";

type Props = (
  | { text: string; from?: never }
  | { text?: never /** Address of the text. */; from: string }
) & {
  /** Added to "Copy" for the accessible name. */
  what?: string;
  withLabel?: boolean;
  className?: string;
};

const shownMilliseconds = 2_000;

/** Hidden without script. */
export function CopyButton({ text, from, what = "", withLabel = false, className }: Props) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");

  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), shownMilliseconds);
    return () => clearTimeout(timer);
  }, [state]);

  async function copy() {
    try {
      // Safari forbids a clipboard write after a wait, but takes a promise.
      if (from === undefined) await navigator.clipboard.writeText(text);
      else await navigator.clipboard.write([new ClipboardItem({ "text/plain": textAt(from) })]);
      setState("copied");
    } catch {
      // The browser denied access; the text on the page can still be selected.
      setState("failed");
    }
  }

  const Icon = { idle: Copy, copied: Check, failed: X }[state];
  const words = { idle: "Copy", copied: "Copied", failed: "Not copied" }[state];
  return (
    <button
      type="button"
      onClick={copy}
      title={withLabel ? undefined : `Copy ${what}`.trim()}
      className={classNames(
        "needs-script",
        withLabel
          ? buttonStyle({ size: "sm" })
          : "grid size-7 flex-none place-items-center rounded-control text-ink-faint hover:bg-accent-wash hover:text-ink pointer-coarse:size-10",
        className,
      )}
    >
      <Icon className={classNames("size-3.75", state === "copied" && "text-good")} />
      <span className={withLabel ? undefined : "sr-only"} aria-live="polite">
        {words}
        {state === "idle" && what && (
          <span className={from === undefined ? "sr-only" : undefined}> {what}</span>
        )}
      </span>
    </button>
  );
}

async function textAt(address: string): Promise<Blob> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}.`);
  return new Blob([await response.text()], { type: "text/plain" });
}
