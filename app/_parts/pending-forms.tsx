"use client";

import { useEffect } from "react";

/** Milliseconds: a form that downloads a file leaves its page in place. */
const longest = 10_000;

/**
 * Shows that a plain form is on its way, and sends it once however often its button is pressed. Without script the browser
 * shows it alone.
 */
export function PendingForms() {
  useEffect(() => {
    const pending = new Map<HTMLFormElement, () => void>();
    const onSubmit = (event: SubmitEvent) => {
      const { target: form, submitter } = event;
      // A submission that script carries out has a state of its own.
      if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== "post")
        return;
      if (pending.has(form)) return event.preventDefault();
      // The attribute `disabled` would keep the button's own value out of the form.
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
    // A page that comes back from the browser's cache is as it was left.
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
