-- What drizzle-kit does not generate from db/schema.
-- Consuming and revoking change no indexed column: with room left on the page such an update touches no index.
ALTER TABLE "access_tokens" SET (fillfactor = 70);
--> statement-breakpoint
ALTER TABLE "refresh_tokens" SET (fillfactor = 60);
--> statement-breakpoint
CREATE FUNCTION stat_latest_follows_level() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE stat_latest SET level = coalesce(NEW.level, 0) WHERE player_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER stat_latest_level AFTER UPDATE OF level ON players
  FOR EACH ROW WHEN (OLD.level IS DISTINCT FROM NEW.level) EXECUTE FUNCTION stat_latest_follows_level();
--> statement-breakpoint
CREATE FUNCTION stat_latest_stands_in_its_cell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.cell := (NEW.level / 10) * 100 + least(99, greatest(0, floor(3 * ln(greatest(NEW.score, 1) / 100))))::int4;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER stat_latest_cell BEFORE INSERT OR UPDATE OF level, score ON stat_latest
  FOR EACH ROW EXECUTE FUNCTION stat_latest_stands_in_its_cell();
--> statement-breakpoint
CREATE TABLE "events_0" PARTITION OF "events" FOR VALUES FROM (0) TO (500000);
--> statement-breakpoint
CREATE TABLE "request_log_default" PARTITION OF "request_log" DEFAULT;
--> statement-breakpoint
CREATE TABLE "audit_log_default" PARTITION OF "audit_log" DEFAULT;
--> statement-breakpoint
-- The first epoch.
INSERT INTO "event_log" ("epoch", "seq") VALUES (1, 0);
