import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { isEdited } from "#app/(portal)/developers/_parts/merge-edits";
import type { TypedApplication } from "#app/(portal)/developers/_parts/typed-application";

/** What was typed and not saved, and what the edit began with. */
export interface UnsavedSettings {
  readonly base: TypedApplication;
  readonly typed: TypedApplication;
}

/** All seven statements are more than a draft's cookie holds, and the form needs script anyway. */
const keyOf = (clientId: string) => ["unsaved-settings", clientId] as const;

/**
 * Keeps what is typed into an application's settings in the tab's cache, so that a look at another page loses nothing; leaving the
 * site is asked about. @returns whether anything is unsaved
 */
export function useUnsavedSettings(
  clientId: string,
  { base, typed }: UnsavedSettings,
  restore: (kept: UnsavedSettings) => void,
): boolean {
  const cache = useQueryClient();
  const edited = isEdited(base, typed);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is shown.
  useEffect(() => {
    const kept = cache.getQueryData<UnsavedSettings>(keyOf(clientId));
    if (kept) restore(kept);
  }, []);

  useEffect(() => {
    const key = keyOf(clientId);
    // Nothing on other pages asks for it, and it stays all the same.
    cache.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY });
    if (edited) cache.setQueryData<UnsavedSettings>(key, { base, typed });
    else cache.removeQueries({ queryKey: key, exact: true });
  }, [cache, clientId, base, typed, edited]);

  useEffect(() => {
    if (!edited) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [edited]);

  return edited;
}
