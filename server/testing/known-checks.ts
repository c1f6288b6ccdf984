import type { Node } from "libpg-query";

type Constraint = Extract<Node, { Constraint: unknown }>["Constraint"];

interface Check {
  readonly notNull: ReadonlySet<string>;
  readonly validated: boolean;
}

/**
 * Migrations must be read in order. PostgreSQL skips the scan for NOT NULL if a valid check proves
 * it.
 */
export function knownChecks() {
  const tables = new Map<string, Map<string, Check>>();
  const checksOf = (table = "") => {
    const known = tables.get(table) ?? new Map<string, Check>();
    tables.set(table, known);
    return known;
  };
  return {
    add: (
      table: string | undefined,
      { contype, conname = "", raw_expr: expression }: Constraint,
    ) => {
      if (contype === "CONSTR_CHECK" && expression)
        checksOf(table).set(conname, { notNull: provenBy(expression), validated: false });
    },
    validate: (table: string | undefined, name = "") => {
      const check = checksOf(table).get(name);
      if (check) checksOf(table).set(name, { ...check, validated: true });
    },
    drop: (table: string | undefined, name = "") => void checksOf(table).delete(name),
    provesNotNull: (table: string | undefined, column = "") =>
      [...checksOf(table).values()].some(
        ({ notNull, validated }) => validated && notNull.has(column),
      ),
  };
}

export type KnownChecks = ReturnType<typeof knownChecks>;

/** Only a conjunction of IS NOT NULL is a proof. */
function provenBy(expression: Node): Set<string> {
  const found = new Set<string>();
  const read = (node: Node): void => {
    if ("BoolExpr" in node && node.BoolExpr.boolop === "AND_EXPR")
      (node.BoolExpr.args ?? []).forEach(read);
    else if ("NullTest" in node && node.NullTest.nulltesttype === "IS_NOT_NULL")
      found.add(columnOf(node.NullTest.arg));
  };
  read(expression);
  return found;
}

function columnOf(node: Node | undefined): string {
  const [field] =
    (node && "ColumnRef" in node ? node.ColumnRef.fields : undefined)?.slice(-1) ?? [];
  return field && "String" in field ? (field.String.sval ?? "") : "";
}
