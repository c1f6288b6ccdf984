-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS "vault_requests_ledger" ON "vault_requests" USING btree ("faction_id","closed_at","id") WHERE "vault_requests"."closed_at" is not null;
