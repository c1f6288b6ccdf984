import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import {
  statementNames,
  type TypedApplication,
} from "#app/(portal)/developers/_parts/typed-application";

/** Base and current values of an unsaved edit. */
export interface UnsavedSettings {
  readonly base: TypedApplication;
  readonly typed: TypedApplication;
}

/** In the tab's cache: seven statements exceed a cookie, and the form needs script anyway. */
const keyOf = (clientId: string) => ["unsaved-settings", clientId] as const;

/**
 * Keeps an edit in the tab's cache across pages; leaving the site asks first.
 * @returns whether anything is unsaved
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
    // Unobserved, so it would be garbage-collected.
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

/** A field that another save changed during the edit. */
export interface SavedElsewhere {
  readonly label: string;
  /** Saved value; list entries by line. */
  readonly now: string;
  /** True if the form keeps its own value. */
  readonly keptHere: boolean;
}

/**
 * Three-way merge. Lists apply additions and removals of both sides; a text changed on both sides
 * keeps the typed value.
 * @param base the form's initial values
 */
export function mergeEdits(
  base: TypedApplication,
  typed: TypedApplication,
  saved: TypedApplication,
): { readonly merged: TypedApplication; readonly changes: readonly SavedElsewhere[] } {
  const changes: SavedElsewhere[] = [];
  const text = (
    label: string,
    read: (application: TypedApplication) => string | undefined,
  ): string => {
    const [before = "", here = "", now = ""] = [base, typed, saved].map(read);
    const keptHere = here !== before && here !== now;
    if (now !== before) changes.push({ label, now, keptHere });
    return keptHere || now === before ? here : now;
  };
  const list = <Item extends string>(
    label: string,
    read: (application: TypedApplication) => readonly Item[],
  ): Item[] => {
    const [before, here, now] = [read(base), read(typed), read(saved)];
    if (!isSame(before, now))
      changes.push({ label, now: now.join("\n"), keptHere: !isSame(before, here) });
    const added = here.filter((item) => !before.includes(item) && !now.includes(item));
    return [...now.filter((item) => here.includes(item) || !before.includes(item)), ...added];
  };
  const merged = {
    kind: saved.kind,
    name: text("Name", ({ name }) => name),
    clientUri: text("Home page", ({ clientUri }) => clientUri),
    tosUri: text("Terms of service", ({ tosUri }) => tosUri),
    privacyUri: text("Privacy policy", ({ privacyUri }) => privacyUri),
    redirectUris: list("Redirect URIs", ({ redirectUris }) => redirectUris),
    scopes: list("Scopes", ({ scopes }) => scopes),
    optionalScopes: list("Optional scopes", ({ optionalScopes }) => optionalScopes),
    privacy: Object.fromEntries(
      statementNames.map((name) => [
        name,
        text(`Privacy: ${name}`, ({ privacy }) => privacy[name]),
      ]),
    ),
  };
  return { merged, changes };
}

export const isEdited = (base: TypedApplication, typed: TypedApplication): boolean =>
  mergeEdits(base, base, typed).changes.length > 0;

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item) => other.includes(item));
