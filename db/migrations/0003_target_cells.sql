-- no-transaction
ALTER TABLE "stat_latest" ADD COLUMN IF NOT EXISTS "cell" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE OR REPLACE FUNCTION stat_latest_stands_in_its_cell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.cell := (NEW.level / 10) * 100 + least(99, greatest(0, floor(3 * ln(greatest(NEW.score, 1) / 100))))::int4;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER stat_latest_cell BEFORE INSERT OR UPDATE OF level, score ON stat_latest
  FOR EACH ROW EXECUTE FUNCTION stat_latest_stands_in_its_cell();
--> statement-breakpoint
-- by pages of stat_latest
UPDATE "stat_latest" SET "cell" = (level / 10) * 100 + least(99, greatest(0, floor(3 * ln(greatest(score, 1) / 100))))::int4
WHERE ctid >= :from AND ctid < :to
  AND "cell" <> (level / 10) * 100 + least(99, greatest(0, floor(3 * ln(greatest(score, 1) / 100))))::int4;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "stat_latest_random_next" ON "stat_latest" USING btree ("visible_to","cell","draw","player_id","score","level","time_added");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "stat_latest_random";--> statement-breakpoint
ALTER INDEX IF EXISTS "stat_latest_random_next" RENAME TO "stat_latest_random";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "stat_latest_recent_next" ON "stat_latest" USING btree ("visible_to","cell","time_added","player_id","score","level","draw");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "stat_latest_recent";--> statement-breakpoint
ALTER INDEX IF EXISTS "stat_latest_recent_next" RENAME TO "stat_latest_recent";
