-- no-transaction
DROP INDEX CONCURRENTLY IF EXISTS "grants_expiry";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "grants_end" ON "grants" USING btree (("absolute_expiry" at time zone 'UTC'));--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "consents_until_next" ON "consents" USING btree ("until") WHERE "consents"."until" is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "consents_until";--> statement-breakpoint
ALTER INDEX IF EXISTS "consents_until_next" RENAME TO "consents_until";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "retaliations_open" ON "retaliations" USING btree ("attack_ended") WHERE "retaliations"."closed_at" is null;--> statement-breakpoint
-- What consents cover from now on; of what was before no events tell.
-- by pages of consents
INSERT INTO "consent_periods" ("consent_id", "began", "scopes")
SELECT "id", "updated_at", "scopes" FROM "consents"
WHERE "revoked_at" IS NULL AND "paused_at" IS NULL AND ctid >= :from AND ctid < :to
  AND NOT EXISTS (SELECT FROM "consent_periods" WHERE "consent_periods"."consent_id" = "consents"."id");
--> statement-breakpoint
-- by pages of retaliations
UPDATE "retaliations" SET "closed_at" = coalesce("answered_at", "attack_ended" + interval '5 minutes')
WHERE "closed_at" IS NULL AND ("answered_at" IS NOT NULL OR "attack_ended" < now() - interval '5 minutes')
  AND ctid >= :from AND ctid < :to;
