-- The new tables have the columns of the old ones, so that the release before goes on writing to them and reading them.
ALTER TABLE "request_log" RENAME TO "request_log_before";--> statement-breakpoint
ALTER INDEX "request_log_client" RENAME TO "request_log_before_client";--> statement-breakpoint
ALTER INDEX "request_log_account" RENAME TO "request_log_before_account";--> statement-breakpoint
ALTER INDEX "request_log_failed" RENAME TO "request_log_before_failed";--> statement-breakpoint
CREATE TABLE "request_log" (
	"id" bigint DEFAULT nextval('request_log_id_seq') NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"request_id" text NOT NULL,
	"method" text NOT NULL,
	"route" text NOT NULL,
	"status" integer NOT NULL,
	"failure_code" integer,
	"account_id" uuid,
	"client_id" text,
	"address" text,
	"micros" integer NOT NULL
) PARTITION BY RANGE ("at");
--> statement-breakpoint
ALTER SEQUENCE "request_log_id_seq" OWNED BY "request_log"."id";--> statement-breakpoint
CREATE INDEX "request_log_pages" ON "request_log" USING brin ("at","client_id" text_bloom_ops,"account_id" uuid_bloom_ops(n_distinct_per_range=1200)) WITH (pages_per_range=16,autosummarize=true);--> statement-breakpoint
CREATE INDEX "request_log_failed" ON "request_log" USING btree ("client_id","at","id") WHERE "request_log"."status" >= 400 and "request_log"."client_id" is not null;--> statement-breakpoint
ALTER TABLE "request_log" ATTACH PARTITION "request_log_before" FOR VALUES FROM (MINVALUE) TO (date_trunc('day', now(), 'UTC') + interval '4 days');--> statement-breakpoint
ALTER TABLE "request_log_before" DROP CONSTRAINT IF EXISTS "request_log_until";--> statement-breakpoint
CREATE TABLE "request_log_default" PARTITION OF "request_log" DEFAULT;
--> statement-breakpoint
ALTER TABLE "audit_log" RENAME TO "audit_log_before";--> statement-breakpoint
ALTER INDEX "audit_log_account" RENAME TO "audit_log_before_account";--> statement-breakpoint
ALTER INDEX "audit_log_client" RENAME TO "audit_log_before_client";--> statement-breakpoint
ALTER INDEX "audit_log_act" RENAME TO "audit_log_before_act";--> statement-breakpoint
ALTER TABLE "audit_log_before" DROP CONSTRAINT IF EXISTS "audit_log_pkey";--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigint DEFAULT nextval('audit_log_id_seq') NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"act" text NOT NULL,
	"actor" text NOT NULL,
	"account_id" uuid,
	"client_id" text,
	"request_id" text,
	"address" text,
	"details" jsonb NOT NULL
) PARTITION BY RANGE ("at");
--> statement-breakpoint
ALTER SEQUENCE "audit_log_id_seq" OWNED BY "audit_log"."id";--> statement-breakpoint
CREATE INDEX "audit_log_id" ON "audit_log" USING btree ("id");--> statement-breakpoint
CREATE INDEX "audit_log_account" ON "audit_log" USING btree ("account_id","at");--> statement-breakpoint
CREATE INDEX "audit_log_client" ON "audit_log" USING btree ("client_id","at");--> statement-breakpoint
CREATE INDEX "audit_log_act" ON "audit_log" USING btree ("act","id") WHERE "audit_log"."act" <> 'tokens-refreshed';--> statement-breakpoint
ALTER TABLE "audit_log" ATTACH PARTITION "audit_log_before" FOR VALUES FROM (MINVALUE) TO (date_trunc('day', now(), 'UTC') + interval '4 days');--> statement-breakpoint
ALTER TABLE "audit_log_before" DROP CONSTRAINT IF EXISTS "audit_log_until";--> statement-breakpoint
CREATE TABLE "audit_log_default" PARTITION OF "audit_log" DEFAULT;
