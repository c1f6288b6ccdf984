"use client";

import { Search } from "lucide-react";
import { lazy, type MouseEvent, Suspense, useEffect, useState } from "react";

const SearchDialog = lazy(async () => ({
  default: (await import("./search-dialog")).SearchDialog,
}));

/** With script, the link and Ctrl+K or ⌘K open a dialog. */
export function SearchLink() {
  const [open, setOpen] = useState(false);
  const [keys, setKeys] = useState("Ctrl K");
  useEffect(() => {
    if (/mac|iphone|ipad/i.test(navigator.userAgent)) setKeys("⌘K");
  }, []);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (
        event.key.toLowerCase() !== "k" ||
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.shiftKey
      )
        return;
      event.preventDefault();
      setOpen(true);
    }
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);

  function onClick(event: MouseEvent) {
    // With a modifier key, the browser opens the link in a new tab or window.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    setOpen(true);
  }

  return (
    <>
      <a
        href="/docs/search"
        onClick={onClick}
        aria-keyshortcuts="Control+K Meta+K"
        className="flex min-h-9 min-w-9 items-center justify-center gap-2 rounded-control text-sm text-ink-soft hover:bg-accent-wash hover:text-ink xl:border xl:border-line-control/60 xl:bg-surface xl:px-2.5 pointer-coarse:min-h-11 pointer-coarse:min-w-11"
      >
        <Search className="size-4 flex-none" />
        <span className="max-xl:sr-only">Search</span>
        <span className="font-mono text-xs text-ink-faint max-xl:hidden" aria-hidden="true">
          {keys}
        </span>
      </a>
      {open && (
        <Suspense fallback={null}>
          <SearchDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
