-- no-transaction
-- The next migration makes the logs of today the oldest partitions of new tables. That all of their rows are older than some
-- midnight to come is found out here, beside calls, so that nothing is read while calls wait.
ALTER TABLE "request_log" DROP CONSTRAINT IF EXISTS "request_log_until", ADD CONSTRAINT "request_log_until" CHECK ("at" < :boundary) NOT VALID;--> statement-breakpoint
ALTER TABLE "request_log" VALIDATE CONSTRAINT "request_log_until";--> statement-breakpoint
ALTER TABLE "audit_log" DROP CONSTRAINT IF EXISTS "audit_log_until", ADD CONSTRAINT "audit_log_until" CHECK ("at" < :boundary) NOT VALID;--> statement-breakpoint
ALTER TABLE "audit_log" VALIDATE CONSTRAINT "audit_log_until";--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "request_log_before_pages" ON "request_log" USING brin ("at","client_id" text_bloom_ops,"account_id" uuid_bloom_ops(n_distinct_per_range=1200)) WITH (pages_per_range=16,autosummarize=true);--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_log_before_id" ON "audit_log" USING btree ("id");
