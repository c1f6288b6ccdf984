"use client";

import { Search } from "lucide-react";
import dynamic from "next/dynamic";
import { type MouseEvent, useEffect, useState } from "react";
import { classNames } from "#app/_ui/class-names.tsx";

/** Loaded when it is first opened. */
const SearchDialog = dynamic(() => import("./search-dialog").then(({ SearchDialog: loaded }) => loaded), {
  ssr: false,
});

/** Leads to the search; with script it opens as a dialog, also by Ctrl+K or ⌘K. */
export function SearchLink({ className }: { className?: string }) {
  const [open, setOpen] = useState(false);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      setOpen(true);
    }
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);

  function onClick(event: MouseEvent) {
    // A new tab was asked for.
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
        className={classNames(
          "flex min-h-9 items-center gap-2 rounded-control border border-line-control/60 bg-surface px-2.5 text-sm text-ink-soft hover:border-line-control hover:text-ink pointer-coarse:min-h-11",
          className,
        )}
      >
        <Search className="size-4 flex-none" aria-hidden="true" />
        Search
        <span className="ml-auto font-mono text-xs text-ink-faint max-sm:hidden" aria-hidden="true">
          Ctrl K
        </span>
      </a>
      {open && <SearchDialog onClose={() => setOpen(false)} />}
    </>
  );
}
