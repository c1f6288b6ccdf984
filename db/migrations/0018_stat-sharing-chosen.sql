-- no-transaction
ALTER TABLE "factions" ADD COLUMN IF NOT EXISTS "stat_sharing_chosen" timestamp with time zone;--> statement-breakpoint
-- What is not the old default was chosen, and so was what the audit log remembers.
-- by pages of factions
UPDATE "factions" SET "stat_sharing_chosen" = now()
WHERE "stat_sharing_chosen" IS NULL AND ctid >= :from AND ctid < :to
  AND ("stat_sharing" <> 'everybody'
    OR "id"::text IN (SELECT "details" ->> 'faction' FROM "audit_log" WHERE "act" = 'stat-sharing-changed'));
