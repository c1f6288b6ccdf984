-- A large table takes longer to fill and to index than a statement may take otherwise.
SET LOCAL statement_timeout = 0;--> statement-breakpoint
DROP INDEX "consents_client";--> statement-breakpoint
ALTER TABLE "grants" ADD COLUMN "client_id" text;--> statement-breakpoint
UPDATE "grants" SET "client_id" = "consents"."client_id" FROM "consents" WHERE "consents"."id" = "grants"."consent_id";--> statement-breakpoint
ALTER TABLE "grants" ALTER COLUMN "client_id" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "grants_client" ON "grants" USING btree ("client_id","created_at","id");--> statement-breakpoint
CREATE INDEX "players_name" ON "players" USING btree (lower("name") collate "C","id");--> statement-breakpoint
CREATE INDEX "consents_client" ON "consents" USING btree ("client_id","revoked_at","until");--> statement-breakpoint
CREATE INDEX "request_log_failed" ON "request_log" USING btree ("client_id","at","id") WHERE "request_log"."status" >= 400 and "request_log"."client_id" is not null;
--> statement-breakpoint
-- An instance of the release before does not know the column, and goes on until it is replaced.
CREATE FUNCTION grants_know_their_client() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT client_id INTO NEW.client_id FROM consents WHERE id = NEW.consent_id;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER grants_client BEFORE INSERT ON grants
  FOR EACH ROW WHEN (NEW.client_id IS NULL) EXECUTE FUNCTION grants_know_their_client();
