-- A large table takes longer to rewrite and to index than a statement may take otherwise.
SET LOCAL statement_timeout = 0;--> statement-breakpoint
DROP INDEX "stat_latest_random";--> statement-breakpoint
DROP INDEX "stat_latest_recent";--> statement-breakpoint
ALTER TABLE "stat_latest" ADD COLUMN "cell" integer GENERATED ALWAYS AS ((level / 10) * 100 + least(99, greatest(0, floor(3 * ln(greatest(score, 1) / 100))))::int4) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "stat_latest_random" ON "stat_latest" USING btree ("visible_to","cell","draw","player_id","score","level","time_added");--> statement-breakpoint
CREATE INDEX "stat_latest_recent" ON "stat_latest" USING btree ("visible_to","cell","time_added","player_id","score","level","draw");