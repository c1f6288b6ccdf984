-- no-transaction
ALTER TABLE "grants" ADD COLUMN IF NOT EXISTS "client_id" text;--> statement-breakpoint
-- An instance of the release before does not know the column, and goes on until it is replaced.
CREATE OR REPLACE FUNCTION grants_know_their_client() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT client_id INTO NEW.client_id FROM consents WHERE id = NEW.consent_id;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER grants_client BEFORE INSERT ON grants
  FOR EACH ROW WHEN (NEW.client_id IS NULL) EXECUTE FUNCTION grants_know_their_client();
--> statement-breakpoint
-- by pages of grants
UPDATE "grants" SET "client_id" = "consents"."client_id" FROM "consents"
WHERE "consents"."id" = "grants"."consent_id" AND "grants"."client_id" IS NULL
  AND "grants".ctid >= :from AND "grants".ctid < :to;
--> statement-breakpoint
-- With a check that holds, the column is made NOT NULL without reading the table.
ALTER TABLE "grants" DROP CONSTRAINT IF EXISTS "grants_client_id_known",
  ADD CONSTRAINT "grants_client_id_known" CHECK ("client_id" IS NOT NULL) NOT VALID;--> statement-breakpoint
ALTER TABLE "grants" VALIDATE CONSTRAINT "grants_client_id_known";--> statement-breakpoint
ALTER TABLE "grants" ALTER COLUMN "client_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "grants" DROP CONSTRAINT IF EXISTS "grants_client_id_known";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "grants_client" ON "grants" USING btree ("client_id","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "players_name" ON "players" USING btree (lower("name") collate "C","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "consents_client_next" ON "consents" USING btree ("client_id","revoked_at","until");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "consents_client";--> statement-breakpoint
ALTER INDEX IF EXISTS "consents_client_next" RENAME TO "consents_client";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "request_log_failed" ON "request_log" USING btree ("client_id","at","id") WHERE "request_log"."status" >= 400 and "request_log"."client_id" is not null;
