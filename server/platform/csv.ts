import { stringify } from "csv-stringify/sync";

/** Lines end as in RFC 4180. A missing value is empty, and an instant is ISO 8601. */
export const csvOf = <Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => string | number | Date | null | undefined>>,
): string =>
  stringify(
    rows.map((row) => Object.values(columns).map((read) => read(row))),
    {
      columns: Object.keys(columns),
      header: true,
      record_delimiter: "windows",
      eof: false,
      cast: {
        date: (at) => at.toISOString(),
        string: (text) => (formula.test(text) ? { value: `'${text}`, quoted: true } : text),
      },
    },
  );

/** Spreadsheets evaluate text that begins with these characters, even in full width. */
const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r]/;
