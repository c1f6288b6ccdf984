CREATE TABLE "consent_periods" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"consent_id" uuid NOT NULL,
	"began" timestamp with time zone NOT NULL,
	"ended" timestamp with time zone,
	"scopes" text[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_inbox" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"scope" text,
	"at" timestamp with time zone NOT NULL,
	"revision" bigint DEFAULT (extract(epoch from clock_timestamp()) * 1000000)::bigint NOT NULL,
	"subject" text NOT NULL,
	"faction_id" integer,
	"player_id" integer,
	"client_id" text,
	"grant_id" uuid,
	"data" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_log" (
	"id" integer PRIMARY KEY NOT NULL,
	"seq" bigint NOT NULL,
	"epoch" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"scope" text,
	"at" timestamp with time zone NOT NULL,
	"revision" bigint DEFAULT (extract(epoch from clock_timestamp()) * 1000000)::bigint NOT NULL,
	"subject" text NOT NULL,
	"faction_id" integer,
	"player_id" integer,
	"client_id" text,
	"grant_id" uuid,
	"data" jsonb NOT NULL
) PARTITION BY RANGE ("seq");
--> statement-breakpoint
CREATE TABLE "events_0" PARTITION OF "events" FOR VALUES FROM (0) TO (500000);
--> statement-breakpoint
-- One row, which whoever numbers events holds.
INSERT INTO "event_log" ("id", "seq", "epoch") VALUES (1, 0, 1);
--> statement-breakpoint
ALTER TABLE "faction_positions" ADD COLUMN "changed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "organized_crimes" ADD COLUMN "delayed_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "retaliations" ADD COLUMN "closed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "players" ADD COLUMN "faction_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "players" ADD COLUMN "position_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "consent_periods" ADD CONSTRAINT "consent_periods_consent_id_consents_id_fk" FOREIGN KEY ("consent_id") REFERENCES "public"."consents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "consent_periods_consent" ON "consent_periods" USING btree ("consent_id","began");--> statement-breakpoint
CREATE INDEX "consent_periods_ended" ON "consent_periods" USING btree ("ended") WHERE "consent_periods"."ended" is not null;
