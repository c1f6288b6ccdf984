import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import {
  statementNames,
  type TypedApplication,
} from "#app/(portal)/developers/_parts/typed-application";

interface UnsavedSettings {
  readonly version: number;
  readonly typed: TypedApplication;
}

/**
 * Keeps an edit in the tab's cache across pages; leaving the site asks first. In the cache, because
 * seven statements exceed a cookie and the form needs script anyway.
 * @param restore called for an edit of the same version
 */
export function useUnsavedSettings(
  clientId: string,
  { version, typed, edited }: UnsavedSettings & { readonly edited: boolean },
  restore: (typed: TypedApplication) => void,
): void {
  const cache = useQueryClient();

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page is shown.
  useEffect(() => {
    const kept = cache.getQueryData<UnsavedSettings>(["unsaved-settings", clientId]);
    if (kept?.version === version) restore(kept.typed);
  }, []);

  useEffect(() => {
    const key = ["unsaved-settings", clientId];
    // Unobserved, so it would be garbage-collected.
    cache.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY });
    if (edited) cache.setQueryData<UnsavedSettings>(key, { version, typed });
    else cache.removeQueries({ queryKey: key, exact: true });
  }, [cache, clientId, version, typed, edited]);

  useEffect(() => {
    if (!edited) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [edited]);
}

/** The order of a list is no edit. */
export const isEdited = (base: TypedApplication, typed: TypedApplication): boolean =>
  (Object.keys(typed) as (keyof TypedApplication)[]).some(
    (name) => comparable(base[name]) !== comparable(typed[name]),
  );

function comparable(value: TypedApplication[keyof TypedApplication]): string {
  if (Array.isArray(value)) return value.toSorted().join("\n");
  if (typeof value !== "object") return value ?? "";
  const texts: Readonly<Record<string, string | undefined>> = { ...value };
  return statementNames.map((name) => texts[name] ?? "").join("\n\n");
}
