"use client";

import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Badge } from "#app/_ui/badge.tsx";
import { classNames } from "#app/_ui/class-names.tsx";
import { Dialog } from "#app/_ui/dialog.tsx";
import { Input } from "#app/_ui/field.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { type SearchResult, searchResultKinds } from "./search-result";

/** Debounce in milliseconds. */
const pause = 150;

interface Answer {
  readonly question: string;
  readonly found: readonly SearchResult[] | "failed";
}

/** A combobox (WAI-ARIA) in a modal dialog. The server searches. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const [answer, setAnswer] = useState<Answer>({ question: "", found: [] });
  const [question, setQuestion] = useState("");
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const router = useRouter();
  const id = useId();

  useEffect(() => {
    const asking = new AbortController();
    const timer = setTimeout(() => {
      search(question, asking.signal).then(
        (found) => setAnswer({ question, found }),
        () => asking.signal.aborted || setAnswer({ question, found: "failed" }),
      );
    }, pause);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [question]);

  const everything = `/docs/search?q=${encodeURIComponent(question)}`;
  const found = answer.found === "failed" ? [] : answer.found;
  const isCurrent = answer.question === question;

  function open(href: string) {
    onClose();
    router.push(href);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      const chosen = isCurrent ? found[active] : undefined;
      if (chosen) open(chosen.href);
      else if (!isCurrent) open(everything);
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || found.length === 0) return;
    event.preventDefault();
    const next = (active + step + found.length) % found.length;
    setActive(next);
    list.current?.children[next]?.scrollIntoView({ block: "nearest" });
  }

  return (
    <Dialog open onClose={onClose} title="Search" width="md">
      <Input
        // Not `type="search"`, in which Escape would clear the field instead of closing the dialog.
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
        {inWords(answer, question)}
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
            key={entry.title + entry.href + entry.text}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => open(entry.href)}
            onPointerMove={() => setActive(index)}
            className={classNames(
              "flex cursor-pointer flex-wrap items-baseline gap-x-2 rounded-control px-2.5 py-2",
              index === active && "bg-accent-wash",
            )}
          >
            <span className="font-medium wrap-anywhere">{entry.title}</span>
            <Badge>{searchResultKinds[entry.kind]}</Badge>
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

function inWords(answer: Answer, question: string): string {
  if (question.trim() === "")
    return "Type a word, a header, a code such as 4004, a part of a path, or a request ID.";
  if (answer.question !== question) return "Searching…";
  if (answer.found === "failed") return "The search did not answer. Try the search page instead.";
  const { length } = answer.found;
  if (length === 0) return "Nothing found.";
  return length === 1 ? "1 result" : `${length} results`;
}

async function search(question: string, signal: AbortSignal): Promise<SearchResult[]> {
  if (question.trim() === "") return [];
  const response = await fetch(`/docs/search/results.json?q=${encodeURIComponent(question)}`, {
    signal,
  });
  if (!response.ok) throw new Error(`The search answered ${response.status}.`);
  return response.json();
}
