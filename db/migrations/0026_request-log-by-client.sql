DROP INDEX "request_log_pages";--> statement-breakpoint
CREATE INDEX "request_log_client" ON "request_log" USING btree ("client_id","at");--> statement-breakpoint
CREATE INDEX "request_log_pages" ON "request_log" USING brin ("at","account_id" uuid_bloom_ops(n_distinct_per_range=1200)) WITH (pages_per_range=16,autosummarize=true);