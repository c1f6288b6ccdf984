"use client";

import { useEffect } from "react";

/** Milliseconds until the form is usable again, because a download does not leave the page. */
const longest = 10_000;

export function DoubleSubmitGuard() {
  useEffect(() => {
    const pending = new Map<HTMLFormElement, () => void>();
    const onSubmit = (event: SubmitEvent) => {
      const { target: form, submitter } = event;
      // Submissions by script show their own state.
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
    // A page restored from the back/forward cache would still be busy.
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
