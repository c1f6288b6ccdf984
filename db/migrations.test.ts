import { readdirSync, readFileSync } from "node:fs";
import { type Node, parse } from "libpg-query";
import { expect, test } from "vitest";
import { type KnownChecks, knownChecks } from "#server/testing/known-checks";
import { noTransactionMarker } from "./migrate";

/*
 * A migration runs while instances of the previous release serve calls. These tests refuse, by
 * syntax tree, statements that read or rewrite a whole table under a blocking lock, or remove
 * columns that the previous release reads.
 */

interface Migration {
  readonly alone: boolean;
  readonly statements: readonly {
    readonly text: string;
    readonly node: Node;
    readonly byPages: boolean;
  }[];
}

async function readMigration(text: string): Promise<Migration> {
  const statements = await Promise.all(
    text.split("--> statement-breakpoint").map(async (part) => {
      const { stmts } = await parse(part.replace(/:(from|to)\b/g, "'(0,0)'::tid"));
      return (stmts ?? []).map(({ stmt }) => ({
        text: part.trim(),
        node: stmt as Node,
        byPages: /^-- (by pages of \w+|few rows)$/m.test(part),
      }));
    }),
  );
  return { alone: text.startsWith(noTransactionMarker), statements: statements.flat() };
}

async function faultsOf(text: string, checks = knownChecks()): Promise<string[]> {
  const { alone, statements } = await readMigration(text);
  const created = new Set(
    statements.flatMap(({ node }) =>
      "CreateStmt" in node ? [node.CreateStmt.relation?.relname] : [],
    ),
  );
  return statements.flatMap(({ text: statement, node, byPages }) => {
    const faults = [...faultsOfStatement(node, { created, checks, alone, byPages })];
    return faults.map((fault) => `${fault}: ${statement.replace(/\s+/g, " ").slice(0, 90)}`);
  });
}

interface Surroundings {
  readonly created: ReadonlySet<string | undefined>;
  /** Checks that an earlier statement or migration validated. */
  readonly checks: KnownChecks;
  readonly alone: boolean;
  readonly byPages: boolean;
}

function* faultsOfStatement(node: Node, around: Surroundings): Generator<string> {
  const { created, alone, byPages } = around;
  if ("IndexStmt" in node) {
    const { relation, concurrent, if_not_exists: repeatable } = node.IndexStmt;
    if (created.has(relation?.relname) && !alone) return;
    if (!concurrent) yield "an index is built beside calls: CONCURRENTLY";
    if (!repeatable) yield "a statement without a transaction can be repeated: IF NOT EXISTS";
    if (!alone) yield "CONCURRENTLY runs in no transaction: -- no-transaction";
  } else if ("AlterTableStmt" in node) {
    if (created.has(node.AlterTableStmt.relation?.relname)) return;
    yield* faultsOfAlter(node.AlterTableStmt, around);
  } else if ("DropStmt" in node) {
    const { removeType, concurrent, missing_ok: repeatable } = node.DropStmt;
    if (removeType !== "OBJECT_INDEX") yield "the release before may still use it";
    else if (!concurrent) yield "dropping an index waits for nobody: CONCURRENTLY";
    if (!repeatable) yield "a statement without a transaction can be repeated: IF EXISTS";
  } else if ("UpdateStmt" in node || "DeleteStmt" in node) {
    if (!byPages) yield "many rows are changed a part at a time: -- by pages of";
  } else if ("InsertStmt" in node) {
    const { selectStmt } = node.InsertStmt;
    const isValues =
      selectStmt !== undefined &&
      "SelectStmt" in selectStmt &&
      selectStmt.SelectStmt.valuesLists !== undefined;
    if (!isValues && !byPages) yield "many rows are inserted a part at a time: -- by pages of";
    if (isValues && alone) yield "a statement without a transaction can be repeated";
  } else if ("RenameStmt" in node) {
    if (node.RenameStmt.renameType !== "OBJECT_INDEX")
      yield "the release before knows the old name";
    if (alone && !node.RenameStmt.missing_ok)
      yield "a statement without a transaction can be repeated: IF EXISTS";
  } else if ("CreateFunctionStmt" in node) {
    if (alone && !node.CreateFunctionStmt.replace)
      yield "a statement without a transaction can be repeated: OR REPLACE";
  } else if ("CreateTrigStmt" in node) {
    if (alone && !node.CreateTrigStmt.replace)
      yield "a statement without a transaction can be repeated: OR REPLACE";
  } else if ("CreateStmt" in node) {
    if (alone && !node.CreateStmt.if_not_exists)
      yield "a statement without a transaction can be repeated: IF NOT EXISTS";
  } else if (!("VariableSetStmt" in node)) yield "no rule covers this kind of statement";
}

type Alter = Extract<Node, { AlterTableStmt: unknown }>["AlterTableStmt"];

function* faultsOfAlter(
  { relation, cmds = [] }: Alter,
  { checks, alone }: Surroundings,
): Generator<string> {
  const commands = cmds.flatMap((cmd) => ("AlterTableCmd" in cmd ? [cmd.AlterTableCmd] : []));
  const dropped = new Set(
    commands.flatMap(({ subtype, name, missing_ok: ok }) =>
      subtype === "AT_DropConstraint" && ok ? [name] : [],
    ),
  );
  for (const { subtype, name, def, missing_ok: repeatable } of commands)
    switch (subtype) {
      case "AT_AddColumn":
        if (alone && !repeatable)
          yield "a statement without a transaction can be repeated: IF NOT EXISTS";
        if (def && "ColumnDef" in def) {
          const [type] = def.ColumnDef.typeName?.names?.slice(-1) ?? [];
          if (type && "String" in type && /serial/.test(type.String.sval ?? ""))
            yield "a serial column rewrites the table";
          yield* faultsOfColumn(def.ColumnDef.constraints ?? []);
        }
        break;
      case "AT_AddConstraint":
        if (
          !(
            def &&
            "Constraint" in def &&
            (def.Constraint.skip_validation || def.Constraint.indexname)
          )
        )
          yield "a constraint does not read the table while calls wait: NOT VALID and then VALIDATE, or USING INDEX";
        else if (alone && !dropped.has(def.Constraint.conname))
          yield "a statement without a transaction can be repeated: DROP CONSTRAINT IF EXISTS";
        if (def && "Constraint" in def) checks.add(relation?.relname, def.Constraint);
        break;
      case "AT_ValidateConstraint":
        checks.validate(relation?.relname, name);
        if (!alone) yield "reading the table holds no other lock: -- no-transaction";
        break;
      case "AT_SetNotNull":
        if (!checks.provesNotNull(relation?.relname, name))
          yield "NOT NULL reads the table unless a check of that column is known to hold";
        break;
      case "AT_DropConstraint":
        checks.drop(relation?.relname, name);
        if (alone && !repeatable)
          yield "a statement without a transaction can be repeated: IF EXISTS";
        break;
      case "AT_ColumnDefault":
      case "AT_DropNotNull":
        break;
      default:
        yield `no rule covers ${subtype}`;
    }
}

function* faultsOfColumn(constraints: readonly Node[]): Generator<string> {
  const kinds = constraints.flatMap((constraint) =>
    "Constraint" in constraint ? [constraint.Constraint] : [],
  );
  for (const { contype, raw_expr: value } of kinds) {
    if (contype === "CONSTR_NOTNULL" && !kinds.some((kind) => kind.contype === "CONSTR_DEFAULT"))
      yield "rows that are there have no value for it: a default, or nullable";
    if (contype === "CONSTR_DEFAULT" && !(value && isConstant(value)))
      yield "a default that is computed rewrites the table";
    if (!["CONSTR_NOTNULL", "CONSTR_DEFAULT", "CONSTR_NULL"].includes(contype ?? ""))
      yield `${contype} reads or rewrites the table`;
  }
}

const isConstant = (value: Node): boolean =>
  "A_Const" in value ||
  ("TypeCast" in value && value.TypeCast.arg !== undefined && "A_Const" in value.TypeCast.arg);

const folder = "db/migrations";
const migrations = readdirSync(folder)
  .filter((name) => name.endsWith(".sql"))
  .sort();
/** The baseline and what belongs to it create the tables; no call uses them yet. */
const first = 2;

test("migrations keep no call waiting and can be interrupted", async () => {
  const checks = knownChecks();
  for (const name of migrations.slice(first))
    expect([name, ...(await faultsOf(readFileSync(`${folder}/${name}`, "utf8"), checks))]).toEqual([
      name,
    ]);
});

const notNull = (column: string) =>
  `ALTER TABLE players DROP CONSTRAINT IF EXISTS known, ADD CONSTRAINT known CHECK (${column}) NOT VALID`;
const validate = "ALTER TABLE players VALIDATE CONSTRAINT known";
const drop = "ALTER TABLE players DROP CONSTRAINT IF EXISTS known";
const set = "ALTER TABLE players ALTER COLUMN name SET NOT NULL";

test.each([
  ["a check of that column", [notNull("name IS NOT NULL"), validate, set], true],
  ["a check of it and another", [notNull("level > 0 AND name IS NOT NULL"), validate, set], true],
  ["a check of another column", [notNull("level IS NOT NULL"), validate, set], false],
  [
    "a check of one or the other",
    [notNull("name IS NOT NULL OR level IS NOT NULL"), validate, set],
    false,
  ],
  ["a check that was not validated", [notNull("name IS NOT NULL"), set], false],
  ["a check that is gone again", [notNull("name IS NOT NULL"), validate, drop, set], false],
  [
    "a check of before, of another table",
    [notNull("name IS NOT NULL"), validate, set.replace("players", "factions")],
    false,
  ],
])("SET NOT NULL after %s", async (_what, statements, passes) => {
  const checks = knownChecks();
  const faults = [];
  for (const statement of statements)
    faults.push(...(await faultsOf(`${noTransactionMarker}${statement}`, checks)));
  expect(faults.map((fault) => fault.split(":", 1)[0])).toEqual(
    passes ? [] : ["NOT NULL reads the table unless a check of that column is known to hold"],
  );
});

test.each([
  ["CREATE INDEX i ON players (name)", /CONCURRENTLY/],
  ["CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON players (name)", /no-transaction/],
  [`${noTransactionMarker}CREATE INDEX CONCURRENTLY i ON players (name)`, /IF NOT EXISTS/],
  ["DROP INDEX i", /CONCURRENTLY/],
  ["DROP TABLE players", /release before/],
  ["ALTER TABLE players ADD COLUMN x integer NOT NULL", /no value/],
  ["ALTER TABLE players ADD COLUMN x uuid DEFAULT gen_random_uuid()", /computed/],
  ["ALTER TABLE players ADD COLUMN x integer GENERATED ALWAYS AS (level + 1) STORED", /GENERATED/],
  ["ALTER TABLE players ADD COLUMN x integer UNIQUE", /UNIQUE/],
  ["ALTER TABLE players ADD COLUMN x bigserial", /serial/],
  ["ALTER TABLE players DROP COLUMN name", /DropColumn/],
  ["ALTER TABLE players ALTER COLUMN name TYPE varchar(3)", /AlterColumnType/],
  ["ALTER TABLE players ALTER COLUMN name SET NOT NULL", /check/],
  ["ALTER TABLE players ADD CONSTRAINT c CHECK (level > 0)", /NOT VALID/],
  [
    "ALTER TABLE players ADD CONSTRAINT c FOREIGN KEY (id) REFERENCES accounts (player_id)",
    /NOT VALID/,
  ],
  ["ALTER TABLE players RENAME COLUMN name TO title", /old name/],
  ["ALTER TABLE players RENAME TO persons", /old name/],
  ["ALTER TABLE players ATTACH PARTITION persons FOR VALUES FROM (1) TO (2)", /AttachPartition/],
  ["ALTER SEQUENCE ids RESTART 1", /no rule/],
  ["UPDATE players SET level = 1", /by pages/],
  ["DELETE FROM players", /by pages/],
  ["INSERT INTO copies SELECT * FROM players", /by pages/],
  ["TRUNCATE players", /no rule/],
  ["LOCK TABLE players", /no rule/],
  ["DO $$ BEGIN PERFORM 1; END $$", /no rule/],
])("%s is refused", async (statement, why) => {
  expect((await faultsOf(statement)).join("\n")).toMatch(why);
});
