import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import {
  statementNames,
  type TypedApplication,
} from "#app/(portal)/developers/_parts/typed-application";

/** An edit that is not saved: the application as it was when the edit began, and as it is typed now. */
export interface UnsavedSettings {
  readonly base: TypedApplication;
  readonly typed: TypedApplication;
}

/** A key of the tab's cache: all seven statements are more than a draft's cookie holds, and the form needs script anyway. */
const keyOf = (clientId: string) => ["unsaved-settings", clientId] as const;

/**
 * Keeps what is typed into an application's settings in the tab's cache, so that a look at another page loses nothing; leaving the
 * site asks for a confirmation. @returns whether anything is unsaved
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
    // No other page reads it, so that without this it would be collected.
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

/** A field that was saved elsewhere while the application was edited. */
export interface SavedElsewhere {
  readonly label: string;
  /** Its saved value; the entries of a list by lines. */
  readonly now: string;
  /** Whether the form keeps what was typed here instead. */
  readonly keptHere: boolean;
}

/**
 * Puts what was typed into what was saved meanwhile. Lists take over what was added and removed on both sides, so that an entry
 * which was removed elsewhere does not come back; a text that was changed on both sides stays as it was typed.
 * @param base what the form began with
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

/** Whether anything was typed that differs from what the form began with. */
export const isEdited = (base: TypedApplication, typed: TypedApplication): boolean =>
  mergeEdits(base, base, typed).changes.length > 0;

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item) => other.includes(item));
