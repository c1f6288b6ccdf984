import { readdirSync, readFileSync } from "node:fs";
import { type Node, parse } from "libpg-query";
import { expect, test } from "vitest";
import { type KnownChecks, knownChecks } from "#server/testing/known-checks";
import { noTransaction } from "./migrate";

/*
 * A migration runs while the release before serves calls. What would read or rewrite a whole table under a lock that calls need,
 * or would take from the release before what it reads, is refused here, by the statements' own syntax tree.
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
      const { stmts } = await parse(
        part
          .replace(/:(from|to)\b/g, "'(0,0)'::tid")
          .replace(/:boundary\b/g, "'2000-01-01'::timestamptz"),
      );
      return (stmts ?? []).map(({ stmt }) => ({
        text: part.trim(),
        node: stmt as Node,
        byPages: /^-- (by pages of \w+|few rows)$/m.test(part),
      }));
    }),
  );
  return { alone: text.startsWith(noTransaction), statements: statements.flat() };
}

/** Everything that may keep calls waiting, or cannot be repeated where it must be; none where the migration may run beside calls. */
async function faultsOf(text: string, checks = knownChecks()): Promise<string[]> {
  const { alone, statements } = await readMigration(text);
  const created = new Set(
    statements.flatMap(({ node }) =>
      "CreateStmt" in node ? [node.CreateStmt.relation?.relname] : [],
    ),
  );
  const keys = new Map(
    statements.flatMap(({ node }) =>
      "CreateStmt" in node
        ? [[node.CreateStmt.relation?.relname, partitionKeyOf(node.CreateStmt.partspec)]]
        : [],
    ),
  );
  return statements.flatMap(({ text: statement, node, byPages }) => {
    const faults = [...faultsOfStatement(node, { created, checks, keys, alone, byPages })];
    return faults.map((fault) => `${fault}: ${statement.replace(/\s+/g, " ").slice(0, 90)}`);
  });
}

interface Surroundings {
  /** Tables that the migration makes: nobody uses them yet. */
  readonly created: ReadonlySet<string | undefined>;
  /** Checks that a statement before, or a migration before, has found to hold. */
  readonly checks: KnownChecks;
  /** The column by which a table that the migration makes is divided. */
  readonly keys: ReadonlyMap<string | undefined, string | undefined>;
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
    yield* faultsOfAttach(node.AlterTableStmt, around);
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
    const { renameType, relation, newname } = node.RenameStmt;
    // In one transaction the old name can pass to a new table, and what is known of the old one to its new name.
    if (renameType === "OBJECT_TABLE" && created.has(relation?.relname) && !alone) {
      around.checks.rename(relation?.relname, newname);
    } else if (renameType !== "OBJECT_INDEX") yield "the release before knows the old name";
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
  } else if ("AlterSeqStmt" in node) {
    const options = (node.AlterSeqStmt.options ?? []).map(
      (option) => "DefElem" in option && option.DefElem.defname,
    );
    if (options.some((option) => option !== "owned_by"))
      yield "nobody has thought of this change of a sequence";
  } else if (!("VariableSetStmt" in node)) yield "nobody has thought of this kind of statement";
}

function partitionKeyOf(spec: PartitionSpec): string | undefined {
  const [param] = spec?.partParams ?? [];
  return param && "PartitionElem" in param ? param.PartitionElem.name : undefined;
}

type PartitionSpec = Extract<Node, { CreateStmt: unknown }>["CreateStmt"]["partspec"];
type Alter = Extract<Node, { AlterTableStmt: unknown }>["AlterTableStmt"];

function* faultsOfAttach(
  { relation, cmds = [] }: Alter,
  { created, checks, keys }: Surroundings,
): Generator<string> {
  for (const cmd of cmds) {
    if (!("AlterTableCmd" in cmd) || cmd.AlterTableCmd.subtype !== "AT_AttachPartition") continue;
    const { def } = cmd.AlterTableCmd;
    const partition = def && "PartitionCmd" in def ? def.PartitionCmd.name?.relname : undefined;
    if (!created.has(partition) && !checks.bounds(partition, keys.get(relation?.relname)))
      yield "ATTACH reads the table unless a check of that column is known to hold: VALIDATE in a migration before";
  }
}

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
      case "AT_AttachPartition":
      case "AT_ColumnDefault":
      case "AT_DropExpression":
      case "AT_DropNotNull":
        break;
      default:
        yield `nobody has thought of ${subtype}`;
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
/** These make the first tables of a database that nobody uses yet. */
const first = 3;

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
    faults.push(...(await faultsOf(`${noTransaction}${statement}`, checks)));
  expect(faults.map((fault) => fault.split(":", 1)[0])).toEqual(
    passes ? [] : ["NOT NULL reads the table unless a check of that column is known to hold"],
  );
});

const divided = (column: string) => [
  "ALTER TABLE players RENAME TO players_before",
  `CREATE TABLE players (id integer, at timestamptz) PARTITION BY RANGE (${column})`,
  "ALTER TABLE players ATTACH PARTITION players_before FOR VALUES FROM (MINVALUE) TO ('2030-01-01')",
];

test.each([
  ["by the column that a check bounds, the table of before goes on as a part", "at", true],
  ["by another column it would be read whole", "id", false],
])("%s", async (_what, column, passes) => {
  const checks = knownChecks();
  for (const before of [notNull("at < '2030-01-01'"), validate])
    await faultsOf(`${noTransaction}${before}`, checks);
  const faults = await faultsOf(divided(column).join(";--> statement-breakpoint\n"), checks);
  expect(faults.map((fault) => fault.split(" ", 1)[0])).toEqual(passes ? [] : ["ATTACH"]);
});

test.each([
  ["CREATE INDEX i ON players (name)", /CONCURRENTLY/],
  ["CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON players (name)", /no-transaction/],
  [`${noTransaction}CREATE INDEX CONCURRENTLY i ON players (name)`, /IF NOT EXISTS/],
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
  ["ALTER TABLE players ATTACH PARTITION persons FOR VALUES FROM (1) TO (2)", /check/],
  ["ALTER SEQUENCE ids RESTART 1", /sequence/],
  ["UPDATE players SET level = 1", /by pages/],
  ["DELETE FROM players", /by pages/],
  ["INSERT INTO copies SELECT * FROM players", /by pages/],
  ["TRUNCATE players", /nobody/],
  ["LOCK TABLE players", /nobody/],
  ["DO $$ BEGIN PERFORM 1; END $$", /nobody/],
])("%s is refused", async (statement, why) => {
  expect((await faultsOf(statement)).join("\n")).toMatch(why);
});
