import { describe, expect, test } from "vitest";
import { processorTime } from "#server/testing/processor-time";
import { mostRows, parseImport } from "./stat-import";

const now = new Date("2026-03-01T12:00:00Z");
const head = "id,strength,defense,speed,dexterity,total,timestamp";
const line = "2400001,100,200,300,400,1000,1767225600";
const row = {
  playerId: 2_400_001,
  strength: 100,
  defense: 200,
  speed: 300,
  dexterity: 400,
  seen: new Date(1_767_225_600_000),
};
const entry = {
  id: 2_400_001,
  strength: 100,
  defense: 200,
  speed: 300,
  dexterity: 400,
  timestamp: 1_767_225_600,
};

describe("an export is read", () => {
  test.each([
    { name: "CSV", text: `${head}\n${line}` },
    { name: "CSV with Windows line ends and empty lines", text: `${head}\r\n\r\n${line}\r\n` },
    {
      name: "CSV with semicolons, quotes and another order",
      text: 'timestamp;"id";speed;dexterity;strength;defense\n1767225600;"2400001";300;400;100;200',
    },
    { name: "CSV from a spreadsheet, with tabs", text: `${head}\n${line}`.replaceAll(",", "\t") },
    { name: "CSV with columns that concern nobody", text: `name,${head}\nAda,${line}` },
    {
      name: "CSV without totals in some lines",
      text: `${head}\n2400001,100,200,300,400,,1767225600`,
    },
    {
      name: "CSV with a quoted separator before the figures",
      text: `name,${head}\n"Lovelace, Ada",${line}`,
    },
    {
      name: "CSV with a quoted semicolon",
      text: `name;${head}\n"Ada; Countess",${line}`.replaceAll(",", ";"),
    },
    {
      name: "CSV with separators in the names of columns",
      text: `"name; and rank, if any",${head}\nAda,${line}`,
    },
    {
      name: "CSV with quotes in a value",
      text: `name,${head}\n"Ada ""the Countess"", 1st",${line}`,
    },
    {
      name: "CSV with a quote inside a value that is not quoted",
      text: `name,${head}\nAda 5" Lovelace,${line}`,
    },
    {
      name: "CSV with line breaks in a value",
      text: `name,${head}\r\n"Ada\r\nLovelace\n",${line}\r\n`,
    },
    {
      name: "CSV with line breaks in the name of a column",
      text: `"the\nname",${head}\nAda,${line}`,
    },
    {
      name: "CSV with a byte order mark, as spreadsheets write it",
      text: `\uFEFF"id"${head.slice(2)}\n${line}`,
    },
    { name: "CSV with old line ends", text: `${head}\r${line}\r` },
    {
      name: "CSV with blanks around values and quotes",
      text: `${head}\n ${line.replaceAll(",", "  ,  ")} `.replace("200", '"200"'),
    },
    { name: "CSV with a separator at the end of its lines", text: `${head}\n${line},` },
    {
      name: "CSV with empty values between tabs",
      text: `${head},a,b,c\n${line},,,x`.replaceAll(",", "\t"),
    },
    { name: "JSON", text: JSON.stringify([entry]) },
    {
      name: "JSON with a total, texts and more fields",
      text: JSON.stringify([{ ...entry, id: "2400001", total: 1_000, name: "Ada" }]),
    },
  ])("$name", ({ text }) => {
    expect(parseImport(text, now)).toEqual({ rows: [row] });
  });
});

describe("faults are named by line", () => {
  test.each([
    {
      name: "a missing value",
      text: `${head}\n${line}\n2400002,,200,300,400,,1767225600`,
      line: 3,
      says: "strength is missing",
    },
    {
      name: "a number with a fraction",
      text: `${head}\n2400001,1.5,2,3,4,,1767225600`,
      line: 2,
      says: "strength must be a whole number",
    },
    {
      name: "a negative number",
      text: `${head}\n2400001,-1,2,3,4,,1767225600`,
      line: 2,
      says: "strength must be",
    },
    {
      name: "a total that does not fit",
      text: `${head}\n2400001,1,2,3,4,11,1767225600`,
      line: 2,
      says: "total must be the sum of the four",
    },
    {
      name: "a time in the future",
      text: `${head}\n2400001,1,2,3,4,10,1793000000`,
      line: 2,
      says: "timestamp must not be in the future",
    },
    {
      name: "milliseconds",
      text: `${head}\n2400001,1,2,3,4,10,1767225600000`,
      line: 2,
      says: "timestamp must be at most",
    },
    {
      name: "an id of nobody",
      text: `${head}\n0,1,2,3,4,10,1767225600`,
      line: 2,
      says: "id must be at least 1",
    },
    {
      name: "a JSON entry",
      text: JSON.stringify([entry, { ...entry, speed: null }]),
      line: 2,
      says: "speed is missing",
    },
    { name: "a JSON entry that is none", text: "[5]", line: 1, says: "the row" },
    {
      name: "a line after a value with line breaks",
      text: `name,${head}\n"Ada\nLovelace",${line}\n"Grace\n\n",${line.replace("300", "x")}`,
      line: 4,
      says: "speed must be a whole number",
    },
    {
      name: "a quote that is never closed",
      text: `name,${head}\nGrace,${line}\n"Ada,${line}\nMary,${line}`,
      line: 3,
      says: "a quoted value must end with a quote",
    },
    {
      name: "a value that goes on after its quote",
      text: `name,${head}\n"Ada" the Countess,${line}`,
      line: 2,
      says: "a quoted value must end with a quote",
    },
    {
      name: "figures with separators of thousands, which would stand one column further",
      text: `${head}\n2400001,1,100,200,300,,1767225600,1767225600`,
      line: 2,
      says: "more values than columns",
    },
    { name: "columns that are not named", text: line, line: 1, says: "missing: id, strength" },
    { name: "broken JSON", text: '[{"id":', line: 0, says: "cannot be read as JSON" },
    { name: "JSON that is no list", text: "{}", line: 0, says: "must be a list" },
    { name: "nothing", text: "  \n ", line: 0, says: "empty" },
    { name: "column names alone", text: head, line: 0, says: "no players" },
  ])("$name", ({ text, line, says }) => {
    const parsed = parseImport(text, now);
    expect(parsed).toMatchObject({ faults: [{ line, message: expect.stringContaining(says) }] });
  });
});

test("one fault keeps everything out", () => {
  expect(parseImport(`${head}\n${line}\nx`, now)).not.toHaveProperty("rows");
});

test("a text of thousands of columns and thousands of lines is read line by line, not their product", () => {
  const text = `${head}${",id".repeat(40_000)}\n${"1\n".repeat(mostRows)}`;
  const parse = () => parseImport(text, now);
  expect(parse()).toHaveProperty("faults.length", 20);
  expect(processorTime(parse)).toBeLessThan(1_000);
});

test.each([
  ["quotes before a run of blanks", `${head}\n"${'"x'.repeat(50_000)}${" ".repeat(100_000)}\n`],
  ["quotes before a run of tabs", `${head}\n"${'"x'.repeat(50_000)}${"\t".repeat(100_000)},\n`],
  [
    "quotes before a run of blanks, with tabs as separators",
    `${head.replaceAll(",", "\t")}\n"${'"x'.repeat(50_000)}${"\u3000 ".repeat(50_000)}\t`,
  ],
  ["quotes alone", '"'.repeat(250_000)],
  ["pairs of quotes", `${head}\n${'"" '.repeat(80_000)}`],
])("a text of %s takes no more than its letters", (_name, text) => {
  const parse = () => parseImport(text, now);
  expect(parse()).toHaveProperty("faults");
  expect(processorTime(parse)).toBeLessThan(1_500);
});

test("no more players than are taken at once, and no more faults than help", () => {
  const many = (text: string, count: number) =>
    `${head}\n${Array.from({ length: count }, () => text).join("\n")}`;
  expect(parseImport(many(line, mostRows), now)).toHaveProperty("rows.length", mostRows);
  expect(parseImport(many(line, mostRows + 1), now)).toMatchObject({ faults: [{ line: 0 }] });
  expect(parseImport(many("x", 100), now)).toHaveProperty("faults.length", 20);
});
