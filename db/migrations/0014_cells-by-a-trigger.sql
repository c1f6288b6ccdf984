-- Adding a generated column rewrites its table, so that a trigger fills this one. Databases that had it generated come here.
ALTER TABLE "stat_latest" ALTER COLUMN "cell" DROP EXPRESSION IF EXISTS;--> statement-breakpoint
ALTER TABLE "stat_latest" ALTER COLUMN "cell" SET DEFAULT 0;--> statement-breakpoint
CREATE OR REPLACE FUNCTION stat_latest_stands_in_its_cell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.cell := (NEW.level / 10) * 100 + least(99, greatest(0, floor(3 * ln(greatest(NEW.score, 1) / 100))))::int4;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER stat_latest_cell BEFORE INSERT OR UPDATE OF level, score ON stat_latest
  FOR EACH ROW EXECUTE FUNCTION stat_latest_stands_in_its_cell();
