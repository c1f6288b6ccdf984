import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { TypedApplication } from "#app/(portal)/developers/_parts/typed-application";

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
  comparable(base) !== comparable(typed);

const comparable = (application: TypedApplication): string =>
  JSON.stringify(
    [...Object.entries({ ...application, privacy: null }), ...Object.entries(application.privacy)]
      .map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : (value ?? "")])
      .filter(([name, value]) => typedFields.has(String(name)) && value !== "")
      .sort(([one], [other]) => String(one).localeCompare(String(other))),
  );

/** Without those that only the server writes, such as the version. */
const typedFields: ReadonlySet<string> = new Set([
  ...["name", "description", "emblemSign", "emblemColour", "redirectUris"],
  ...["scopes", "optionalScopes", "clientUri", "tosUri", "privacyUri"],
  ...["data", "use", "retention", "deletion", "sharing", "contact", "protection"],
]);
