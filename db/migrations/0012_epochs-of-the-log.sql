CREATE TABLE "event_epochs" (
	"epoch" integer PRIMARY KEY NOT NULL,
	"until" bigint
);
--> statement-breakpoint
ALTER TABLE "event_log" ADD COLUMN "server" text;--> statement-breakpoint
-- Cursors that were given before lead where they led.
-- few rows
INSERT INTO "event_epochs" ("epoch") VALUES ((SELECT "epoch" FROM "event_log"));
