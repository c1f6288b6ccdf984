"use client";

import { useEffect } from "react";

/** Milliseconds; a download leaves its form in place. */
const longest = 10_000;

/**
 * Marks a submitted form as busy and prevents a second submission. Without script the browser does
 * so alone.
 */
export function PendingForms() {
  useEffect(() => {
    const pending = new Map<HTMLFormElement, () => void>();
    const onSubmit = (event: SubmitEvent) => {
      const { target: form, submitter } = event;
      // Script submissions show their own state.
      if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== "post")
        return;
      if (pending.has(form)) return event.preventDefault();
      // `disabled` would drop the button's value from the form.
      submitter?.setAttribute("aria-disabled", "true");
      submitter?.setAttribute("data-pending", "");
      const end = () => {
        clearTimeout(timer);
        pending.delete(form);
        submitter?.removeAttribute("aria-disabled");
        submitter?.removeAttribute("data-pending");
      };
      const timer = setTimeout(end, longest);
      pending.set(form, end);
    };
    // The back/forward cache restores the busy state.
    const onPageShow = () => {
      for (const end of [...pending.values()]) end();
    };
    addEventListener("submit", onSubmit);
    addEventListener("pageshow", onPageShow);
    return () => {
      removeEventListener("submit", onSubmit);
      removeEventListener("pageshow", onPageShow);
      onPageShow();
    };
  }, []);
  return null;
}
