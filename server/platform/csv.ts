// The server's loader does not bundle packages, so this one offers only a default export.
import { stringify } from "csv-stringify/sync";

export type CsvColumn<Row> = readonly [
  name: string,
  read: (row: Row) => string | number | Date | null,
];

/** With a header line; a missing value is empty, an instant in ISO 8601. */
export const csvOf = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string =>
  stringify(
    rows.map((row) => columns.map(([, read]) => read(row))),
    {
      columns: columns.map(([name]) => name),
      header: true,
      record_delimiter: "windows",
      eof: false,
      cast: {
        date: (at) => at.toISOString(),
        string: (text) => (formula.test(text) ? { value: `'${text}`, quoted: true } : text),
      },
    },
  );

/**
 * Prevents formula injection: spreadsheets evaluate names that begin with these, also full-width.
 */
const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r]/;
