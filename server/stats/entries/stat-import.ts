import { parse } from "csv-parse/sync";
import { z } from "zod";
import type { Queryable } from "#db/client";
import { errorCodesOf } from "#server/platform/errors";
import { secondMs } from "#server/platform/time";
import { statScore } from "#server/users/player";
import { insertEntries, readNewestImportTimes, saveLatest } from "./store";

export { summarizeFactionScores as countScoresOfFaction } from "./store";

/** `line` is the CSV line or the number of the JSON entry; 0 means the whole text. */
export interface ImportFault {
  readonly line: number;
  readonly message: string;
}

type ParsedImport =
  | { readonly rows: readonly ImportRow[] }
  | { readonly faults: readonly ImportFault[] };

const mostFaults = 20;
const needed = ["id", "strength", "defense", "speed", "dexterity", "timestamp"];
const known = [...needed, "total"];

export const mostRows = 5_000;

/** A fault in any row rejects the whole import. */
export function parseImport(text: string, now: Date): ParsedImport {
  const trimmed = text.trim();
  if (trimmed === "") return faultOfAll("It is empty.");
  const raw = /^[[{]/.test(trimmed) ? readJson(trimmed) : readCsv(trimmed);
  if (!Array.isArray(raw)) return raw;
  if (raw.length === 0) return faultOfAll("It has no players.");

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

/**
 * Stores the scores of rows newer than the last import, but not the stats. Call it in the
 * transaction that checks the permission.
 * @returns the number of new scores
 */
export async function saveImport(
  tx: Queryable,
  { factionId, rows }: { readonly factionId: number; readonly rows: readonly ImportRow[] },
): Promise<number> {
  const known = await readNewestImportTimes(tx, {
    factionId,
    playerIds: rows.map(({ playerId }) => playerId),
  });
  const newer = rows.filter(({ playerId, seen }) => seen > (known.get(playerId) ?? new Date(0)));
  const entries = newer.map(({ playerId, seen, ...stats }) => ({
    visibleTo: factionId,
    playerId,
    score: statScore(stats),
    timeAdded: seen,
    sigma: 0,
    fairFight: null,
    lowerBound: false,
    source: "import" as const,
    attackCode: null,
    contributorId: null,
  }));
  await saveLatest(tx, await insertEntries(tx, entries));
  return entries.length;
}

interface RawRow {
  readonly line: number;
  readonly fields: unknown;
}

const largestId = 2 ** 31 - 1;
/** Ten thousand times the stats of the strongest players; more is a typing error. */
const largestStat = 1e15;
/** Unix seconds of the game's launch. Smaller numbers are dates that a CSV tool converted. */
const earliest = Date.UTC(2004, 0, 1) / secondMs;

const wholeNumber = (least: number, most: number) =>
  z.preprocess(
    (value) =>
      typeof value === "string" && /^\d{1,16}$/.test(value.trim()) ? Number(value) : value,
    z
      .int("must be a whole number")
      .min(least, `must be at least ${least}`)
      .max(most, `must be at most ${most}`),
  );
const stat = wholeNumber(0, largestStat);

/** CSV values are texts, JSON values numbers. `timestamp` is in Unix seconds. */
const ImportRow = z
  .object({
    id: wholeNumber(1, largestId),
    strength: stat,
    defense: stat,
    speed: stat,
    dexterity: stat,
    total: z.preprocess(
      (value) => (value === "" || value === null ? undefined : value),
      wholeNumber(0, 4 * largestStat).optional(),
    ),
    timestamp: wholeNumber(earliest, 4_000_000_000),
  })
  .refine(
    ({ strength, defense, speed, dexterity, total }) =>
      total === undefined || total === strength + defense + speed + dexterity,
    {
      path: ["total"],
      message: "must be the sum of the four",
    },
  )
  .transform(({ id, timestamp, total: _, ...stats }) => ({
    playerId: id,
    ...stats,
    seen: new Date(timestamp * secondMs),
  }));
type ImportRow = z.output<typeof ImportRow>;

const faultOfAll = (message: string): { faults: ImportFault[] } => ({
  faults: [{ line: 0, message }],
});

const tooMany = (players: number) =>
  faultOfAll(
    `There are ${players} players in it; ${mostRows} are taken at once. Import it in parts.`,
  );

function readJson(text: string): RawRow[] | { faults: ImportFault[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return faultOfAll("It begins as JSON and cannot be read as JSON.");
  }
  if (!Array.isArray(value)) return faultOfAll("JSON must be a list: [{ … }, { … }].");
  if (value.length > mostRows) return tooMany(value.length);
  return value.map((fields: unknown, index) => ({ line: index + 1, fields }));
}

interface CsvRecord {
  readonly cells: readonly string[];
  /** The record's first line, because quoted values may contain line breaks. */
  readonly line: number;
}

function readCsv(text: string): RawRow[] | { faults: ImportFault[] } {
  const records: CsvRecord[] = [];
  let end = 0;
  try {
    parse(text, {
      delimiter: separatorOf(text),
      record_delimiter: ["\r\n", "\n", "\r"],
      trim: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      on_record: (cells, { lines }) => {
        end = lines;
        const breaks = cells.reduce((sum, cell) => sum + cell.split(/\r\n?|\n/).length - 1, 0);
        records.push({ cells: cells.map((cell) => cell.trim()), line: lines - breaks });
        return null;
      },
    });
  } catch (error) {
    if (!errorCodesOf(error).some((code) => code.startsWith("CSV_"))) throw error;
    return fault(end + 1, "a quoted value must end with a quote before the next separator");
  }
  const [head, ...rows] = records;
  const names = (head?.cells ?? []).map((name) => name.toLowerCase());
  const absent = needed.filter((name) => !names.includes(name));
  if (absent.length > 0)
    return fault(1, `The first line must name the columns; missing: ${absent.join(", ")}.`);
  // Computed once, because a search per row would cost columns × rows.
  const columns = known
    .map((name) => [name, names.lastIndexOf(name)] as const)
    .filter(([, column]) => column >= 0);

  const filled = rows.filter(({ cells }) => cells.length > 1 || cells[0] !== "");
  const longer = filled.find(({ cells }) => cells.slice(names.length).some((cell) => cell !== ""));
  if (longer)
    return fault(
      longer.line,
      "there are more values than columns; put values that hold a separator in quotes",
    );
  if (filled.length > mostRows) return tooMany(filled.length);
  return filled.map(({ cells, line }) => ({
    line,
    fields: Object.fromEntries(columns.map(([name, column]) => [name, cells[column]])),
  }));
}

const fault = (line: number, message: string): { faults: ImportFault[] } => ({
  faults: [{ line, message }],
});

function separatorOf(text: string): string {
  const [head = ""] = text.replace(/"[^"]*"/g, "").split(/[\r\n]/, 1);
  return [",", ";", "\t"].find((sign) => head.includes(sign)) ?? ",";
}

function missing(fields: unknown, name: PropertyKey | undefined): string | undefined {
  const value =
    typeof fields === "object" && fields !== null && name !== undefined
      ? Reflect.get(fields, name)
      : fields;
  return value === undefined || value === null || value === "" ? "is missing" : undefined;
}
