/**
 * Written out, though each says what its element means already: a browser drops a table's own meaning when its parts are
 * laid out as blocks, as they are on a narrow screen.
 */
export const tableRoles = {
  table: "table",
  rowgroup: "rowgroup",
  row: "row",
  columnheader: "columnheader",
  rowheader: "rowheader",
  cell: "cell",
} as const;
