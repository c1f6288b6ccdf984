import { ImportRow, mostRows } from "./import-row";

/** Something that is wrong with an import. `line` is the line of a CSV text, or counts the entries of a JSON text; 0: all of it. */
export interface ImportFault {
  readonly line: number;
  readonly message: string;
}

export type ParsedImport = { readonly rows: readonly ImportRow[] } | { readonly faults: readonly ImportFault[] };

/** More faults than these do not help to fix the file. */
const mostFaults = 20;
const needed = ["id", "strength", "defense", "speed", "dexterity", "timestamp"];
const known = [...needed, "total"];

/**
 * Reads a faction's export from a stat site: CSV with a line of column names, or a JSON list of objects. It is taken whole or not
 * at all: with a fault in any row there are no rows.
 */
export function parseImport(text: string, now: Date): ParsedImport {
  const trimmed = text.trim();
  if (trimmed === "") return whole("There is nothing in it.");
  const raw = /^[[{]/.test(trimmed) ? readJson(trimmed) : readCsv(trimmed);
  if (!Array.isArray(raw)) return raw;
  if (raw.length === 0) return whole("There are no players in it.");

  const faults: ImportFault[] = [];
  const rows: ImportRow[] = [];
  for (const { line, fields } of raw) {
    const parsed = ImportRow.safeParse(fields);
    const issue = parsed.error?.issues[0];
    if (issue)
      faults.push({
        line,
        message: `${issue.path.join(".") || "the row"} ${missing(fields, issue.path[0]) ?? issue.message}`,
      });
    else if (parsed.data && parsed.data.seen > now)
      faults.push({ line, message: "timestamp must not be in the future" });
    else if (parsed.data) rows.push(parsed.data);
    if (faults.length === mostFaults) break;
  }
  return faults.length > 0 ? { faults } : { rows };
}

interface RawRow {
  readonly line: number;
  readonly fields: unknown;
}

const whole = (message: string): { faults: ImportFault[] } => ({ faults: [{ line: 0, message }] });

const tooMany = (players: number) =>
  whole(`There are ${players} players in it; ${mostRows} are taken at once. Import it in parts.`);

function readJson(text: string): RawRow[] | { faults: ImportFault[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return whole("It begins as JSON and cannot be read as JSON.");
  }
  if (!Array.isArray(value)) return whole("JSON must be a list: [{ … }, { … }].");
  if (value.length > mostRows) return tooMany(value.length);
  return value.map((fields: unknown, index) => ({ line: index + 1, fields }));
}

function readCsv(text: string): RawRow[] | { faults: ImportFault[] } {
  const lines = text.split(/\r\n|\r|\n/);
  const head = lines[0] ?? "";
  const separator = [",", ";", "\t"].find((sign) => head.includes(sign)) ?? ",";
  const cells = (line: string) => line.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));
  const names = cells(head).map((name) => name.toLowerCase());
  const absent = needed.filter((name) => !names.includes(name));
  if (absent.length > 0)
    return { faults: [{ line: 1, message: `The first line must name the columns; missing: ${absent.join(", ")}.` }] };
  // Once and not for each line: a text of many columns and many lines would take their product.
  const columns = known.map((name) => [name, names.lastIndexOf(name)] as const).filter(([, column]) => column >= 0);
  const filled = lines.flatMap((text, index) => (index > 0 && text.trim() !== "" ? [{ text, line: index + 1 }] : []));
  if (filled.length > mostRows) return tooMany(filled.length);
  return filled.map(({ text, line }) => {
    const values = cells(text);
    return { line, fields: Object.fromEntries(columns.map(([name, column]) => [name, values[column]])) };
  });
}

function missing(fields: unknown, name: PropertyKey | undefined): string | undefined {
  const value =
    typeof fields === "object" && fields !== null && name !== undefined ? Reflect.get(fields, name) : fields;
  return value === undefined || value === null || value === "" ? "is missing" : undefined;
}
