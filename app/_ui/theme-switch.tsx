"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { useSyncExternalStore } from "react";
import { parseTheme, type Theme, themeCookie } from "./theme";

const choices = [
  { theme: "system", label: "System", Icon: Monitor },
  { theme: "light", label: "Light", Icon: Sun },
  { theme: "dark", label: "Dark", Icon: Moon },
] as const;

const yearSeconds = 31_536_000;

/** The document's attribute is the state, so that two switches agree. */
function watch(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

function choose(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  const age = theme === "system" ? 0 : yearSeconds;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve.
  document.cookie = `${themeCookie}=${theme}; Path=/; Max-Age=${age}; SameSite=Lax${secure}`;
}

type Props = {
  /** The cookie's value. */
  initial: Theme;
};

/** Stored in a cookie, so that the next page is right from its first byte. */
export function ThemeSwitch({ initial }: Props) {
  const current = useSyncExternalStore(
    watch,
    () => parseTheme(document.documentElement.dataset.theme),
    () => initial,
  );
  return (
    <fieldset className="needs-script flex rounded-full border border-line bg-sunken p-0.5">
      <legend className="sr-only">Theme</legend>
      {choices.map(({ theme, label, Icon }) => (
        <button
          key={theme}
          type="button"
          aria-pressed={current === theme}
          aria-label={label}
          title={label}
          onClick={() => choose(theme)}
          className="grid size-6.5 place-items-center rounded-full text-ink-faint hover:text-ink aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-control pointer-coarse:size-9"
        >
          <Icon className="size-3.5" />
        </button>
      ))}
    </fieldset>
  );
}
