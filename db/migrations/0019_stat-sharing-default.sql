-- no-transaction
ALTER TABLE "factions" ALTER COLUMN "stat_sharing" SET DEFAULT 'faction';--> statement-breakpoint
-- by pages of factions
UPDATE "factions" SET "stat_sharing" = 'faction'
WHERE "stat_sharing" = 'everybody' AND "stat_sharing_chosen" IS NULL AND ctid >= :from AND ctid < :to;
