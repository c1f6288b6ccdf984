ALTER TABLE "webhook_deliveries" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "webhook_messages" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "webhook_deliveries" CASCADE;--> statement-breakpoint
DROP TABLE "webhook_messages" CASCADE;--> statement-breakpoint
DROP INDEX "webhook_endpoints_held";--> statement-breakpoint
DROP INDEX "webhook_endpoints_counted";--> statement-breakpoint
ALTER TABLE "webhook_endpoints" DROP COLUMN "counted";--> statement-breakpoint
ALTER TABLE "webhook_endpoints" DROP COLUMN "waiting";--> statement-breakpoint
ALTER TABLE "webhook_endpoints" DROP COLUMN "lease";--> statement-breakpoint
ALTER TABLE "webhook_endpoints" DROP COLUMN "lease_until";--> statement-breakpoint
ALTER TABLE "webhook_endpoints" DROP COLUMN "lease_owner";--> statement-breakpoint
ALTER TABLE "webhook_endpoints" DROP COLUMN "permits";