ALTER TABLE "factions" ADD COLUMN "events_channel_id" bigint;--> statement-breakpoint
ALTER TABLE "factions" ADD COLUMN "events_shown" text[] DEFAULT '{}' NOT NULL;