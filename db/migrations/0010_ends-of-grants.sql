DROP INDEX "grants_expiry";--> statement-breakpoint
DROP INDEX "consents_until";--> statement-breakpoint
CREATE INDEX "grants_end" ON "grants" USING btree (("absolute_expiry" at time zone 'UTC'));--> statement-breakpoint
CREATE INDEX "consents_until" ON "consents" USING btree ("until") WHERE "consents"."until" is not null;