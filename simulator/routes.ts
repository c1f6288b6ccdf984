import type { Key } from "./keys";
import { faction } from "./sections/faction";
import { key } from "./sections/key";
import type { Section } from "./sections/section";
import { market, torn } from "./sections/torn";
import { user } from "./sections/user";

/** A selection is added in its section's file. */
export const sections: Readonly<Record<string, Section>> = { key, user, faction, torn, market };

/** The answering section checks the selections. */
export interface SimulatedCall {
  readonly section: Section;
  readonly sectionName: string;
  readonly id: string | null;
  readonly selections: readonly string[];
}

/**
 * Reads `/v2/user/profile`, `/v2/user/123/profile` and
 * `/v2/user?selections=profile,discord&id=123`.
 * @returns an error code for an invalid path: 3 wrong section, 4 wrong selection, 23 not version 2
 */
export function readCall(url: URL): SimulatedCall | number {
  const [version, sectionName = "", ...rest] = url.pathname.split("/").slice(1);
  if (version !== "v2") return 23;
  const section = Object.hasOwn(sections, sectionName) ? sections[sectionName] : undefined;
  if (!section) return 3;
  const pathId = rest[0] !== undefined && /^[0-9]+$/.test(rest[0]) ? rest.shift() : undefined;
  const id = pathId ?? url.searchParams.get("id");
  if (id !== null && !/^[0-9]{1,20}$/.test(id)) return 6;
  const asked = rest.length > 0 ? rest.join("/") : (url.searchParams.get("selections") ?? "");
  const selections = asked.split(",").filter(Boolean);
  const known = selections.every((name) => Object.hasOwn(section.selections, name));
  return selections.length > 0 && known ? { section, sectionName, id, selections } : 4;
}

/** All selections up to the key's level, or the list of a custom key. */
export function readableBy(key: Key): Record<string, string[]> {
  const names = Object.entries(sections).map(([sectionName, section]): [string, string[]] => {
    const readable = Object.entries(section.selections).filter(([name, selection]) =>
      key.level === 0
        ? sectionName === "key" || (key.selections[sectionName] ?? []).includes(name)
        : selection.level <= key.level,
    );
    return [sectionName, readable.map(([name]) => name)];
  });
  return Object.fromEntries(names);
}
