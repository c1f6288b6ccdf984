-- no-transaction
ALTER TABLE "notices" ADD COLUMN IF NOT EXISTS "path" text;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN IF NOT EXISTS "permits" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_endpoints_held" ON "webhook_endpoints" USING btree ("lease_until") WHERE "webhook_endpoints"."state" = 'enabled';
