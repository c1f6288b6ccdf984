import type { Node } from "libpg-query";

type Constraint = Extract<Node, { Constraint: unknown }>["Constraint"];

/** What a check says of a row: columns that are not null, and columns that it compares with something. */
interface Check {
  readonly notNull: ReadonlySet<string>;
  readonly compared: ReadonlySet<string>;
  readonly holds: boolean;
}

/** Which checks a table has, as migrations are read one after the other. PostgreSQL reads no table for what one of them proves. */
export function knownChecks() {
  const tables = new Map<string, Map<string, Check>>();
  const checksOf = (table = "") => {
    const known = tables.get(table) ?? new Map<string, Check>();
    tables.set(table, known);
    return known;
  };
  const holds = (table: string | undefined, proves: (check: Check) => boolean) =>
    [...checksOf(table).values()].some((check) => check.holds && proves(check));
  return {
    add: (
      table: string | undefined,
      { contype, conname = "", raw_expr: expression }: Constraint,
    ) => {
      if (contype === "CONSTR_CHECK" && expression)
        checksOf(table).set(conname, { ...provenBy(expression), holds: false });
    },
    validate: (table: string | undefined, name = "") => {
      const check = checksOf(table).get(name);
      if (check) checksOf(table).set(name, { ...check, holds: true });
    },
    drop: (table: string | undefined, name = "") => void checksOf(table).delete(name),
    rename: (table: string | undefined, to = "") => {
      tables.set(to, checksOf(table));
      tables.delete(table ?? "");
    },
    provesNotNull: (table: string | undefined, column = "") =>
      holds(table, ({ notNull }) => notNull.has(column)),
    bounds: (table: string | undefined, column = "") =>
      holds(table, ({ compared }) => compared.has(column)),
  };
}

export type KnownChecks = ReturnType<typeof knownChecks>;

/** Parts of a conjunction each hold by themselves; of anything else nothing is taken as proven. */
function provenBy(expression: Node): Pick<Check, "notNull" | "compared"> {
  const found = { notNull: new Set<string>(), compared: new Set<string>() };
  const read = (node: Node): void => {
    if ("BoolExpr" in node && node.BoolExpr.boolop === "AND_EXPR")
      (node.BoolExpr.args ?? []).forEach(read);
    else if ("NullTest" in node && node.NullTest.nulltesttype === "IS_NOT_NULL")
      found.notNull.add(columnOf(node.NullTest.arg));
    else if ("A_Expr" in node && node.A_Expr.kind === "AEXPR_OP")
      found.compared.add(columnOf(node.A_Expr.lexpr));
  };
  read(expression);
  return found;
}

function columnOf(node: Node | undefined): string {
  const [field] =
    (node && "ColumnRef" in node ? node.ColumnRef.fields : undefined)?.slice(-1) ?? [];
  return field && "String" in field ? (field.String.sval ?? "") : "";
}
