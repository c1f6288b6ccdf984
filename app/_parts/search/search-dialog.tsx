"use client";

import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { Badge } from "#app/_ui/badge.tsx";
import { classNames } from "#app/_ui/class-names.tsx";
import { Dialog } from "#app/_ui/dialog.tsx";
import { Input } from "#app/_ui/field.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { kindWords, rankEntries, type SearchEntry } from "./rank-entries";

/** The search page shows the rest. */
const mostShown = 12;

/** A combobox (WAI-ARIA) in a modal dialog. The index is loaded once. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const [entries, setEntries] = useState<readonly SearchEntry[] | "failed">();
  const [question, setQuestion] = useState("");
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const router = useRouter();
  const id = useId();

  useEffect(() => {
    const reading = new AbortController();
    readEntries(reading.signal).then(
      setEntries,
      () => reading.signal.aborted || setEntries("failed"),
    );
    return () => reading.abort();
  }, []);

  const found = useMemo(
    () => (Array.isArray(entries) ? rankEntries(entries, question).slice(0, mostShown) : []),
    [entries, question],
  );

  function open(entry: SearchEntry | undefined) {
    if (!entry) return;
    onClose();
    router.push(entry.href);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      open(found[active]);
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || found.length === 0) return;
    event.preventDefault();
    const next = (active + step + found.length) % found.length;
    setActive(next);
    list.current?.children[next]?.scrollIntoView({ block: "nearest" });
  }

  const everything = `/docs/search?q=${encodeURIComponent(question)}`;
  return (
    <Dialog open onClose={onClose} title="Search" width="md">
      <Input
        // Not type search, where Escape would clear the field instead of closing the dialog.
        role="combobox"
        inputMode="search"
        aria-label="Search pages, guides, endpoints, errors and your applications"
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={found[active] ? `${id}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        value={question}
        onChange={(event) => {
          setQuestion(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <p role="status" className="mt-2 min-h-5 text-sm text-ink-faint">
        {inWords(entries, question, found.length)}
      </p>
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label="Results"
        className="max-h-[min(24rem,50dvh)] overflow-y-auto"
      >
        {found.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the combobox's, which keeps the focus.
          <div
            key={entry.title + entry.href}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => open(entry)}
            onPointerMove={() => setActive(index)}
            className={classNames(
              "flex cursor-pointer flex-wrap items-baseline gap-x-2 rounded-control px-2.5 py-2",
              index === active && "bg-accent-wash",
            )}
          >
            <span className="font-medium wrap-anywhere">{entry.title}</span>
            <Badge>{kindWords[entry.kind]}</Badge>
            {entry.text && (
              <span className="basis-full truncate text-sm text-ink-soft">{entry.text}</span>
            )}
          </div>
        ))}
      </div>
      <p className="mt-3 text-sm text-ink-faint">
        <TextLink href={question === "" ? "/docs/search" : everything} document>
          {question === "" ? "Search on a page" : "All results on a page"}
        </TextLink>
      </p>
    </Dialog>
  );
}

function inWords(
  entries: readonly SearchEntry[] | "failed" | undefined,
  question: string,
  found: number,
): string {
  if (entries === "failed") return "The index could not be loaded. Search on a page instead.";
  if (question.trim() === "")
    return "Type a name, a code such as 4004, a part of a path, or a request ID.";
  if (!entries) return "Loading…";
  if (found === 0) return "Nothing found.";
  if (found === mostShown) return `The best ${mostShown} results`;
  return found === 1 ? "1 result" : `${found} results`;
}

async function readEntries(signal: AbortSignal): Promise<SearchEntry[]> {
  const response = await fetch("/docs/search/entries.json", { signal });
  if (!response.ok) throw new Error(`The index answered ${response.status}.`);
  return response.json();
}
