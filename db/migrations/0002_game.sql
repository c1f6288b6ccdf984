CREATE TABLE "vault_requests" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "vault_requests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"guid" uuid NOT NULL,
	"faction_id" integer NOT NULL,
	"player_id" integer NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"status" text NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"closed_by" integer,
	"verification" text,
	"news_id" text,
	"channel_id" bigint,
	CONSTRAINT "vault_requests_guid_unique" UNIQUE("guid"),
	CONSTRAINT "vault_requests_newsId_unique" UNIQUE("news_id")
);
--> statement-breakpoint
CREATE TABLE "chat_interactions" (
	"id" bigint PRIMARY KEY NOT NULL,
	"received_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chat_messages" (
	"subject" text PRIMARY KEY NOT NULL,
	"channel_id" bigint,
	"recipient_id" bigint,
	"message" jsonb NOT NULL,
	"version" integer NOT NULL,
	"delivered" integer DEFAULT 0 NOT NULL,
	"message_id" bigint,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone,
	"leased_until" timestamp with time zone,
	"last_error" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chat_server_admins" (
	"server_id" bigint NOT NULL,
	"chat_id" bigint NOT NULL,
	CONSTRAINT "chat_server_admins_server_id_chat_id_pk" PRIMARY KEY("server_id","chat_id")
);
--> statement-breakpoint
CREATE TABLE "chat_server_factions" (
	"server_id" bigint NOT NULL,
	"faction_id" integer NOT NULL,
	"banking_channel_id" bigint,
	"banking_role_ids" bigint[] NOT NULL,
	CONSTRAINT "chat_server_factions_server_id_faction_id_pk" PRIMARY KEY("server_id","faction_id")
);
--> statement-breakpoint
CREATE TABLE "chat_servers" (
	"id" bigint PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"last_refresh" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "faction_positions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"faction_id" integer NOT NULL,
	"name" text NOT NULL,
	"is_default" boolean NOT NULL,
	"abilities" text[] NOT NULL,
	"last_seen" timestamp with time zone NOT NULL,
	CONSTRAINT "faction_positions_name" UNIQUE("faction_id","name")
);
--> statement-breakpoint
CREATE TABLE "organized_crime_delays" (
	"crime_id" integer NOT NULL,
	"slot" text NOT NULL,
	"player_id" integer NOT NULL,
	"faction_id" integer NOT NULL,
	"position" text NOT NULL,
	"position_index" integer NOT NULL,
	"reason" text NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "organized_crime_delays_crime_id_slot_player_id_pk" PRIMARY KEY("crime_id","slot","player_id")
);
--> statement-breakpoint
CREATE TABLE "organized_crime_slots" (
	"crime_id" integer NOT NULL,
	"slot" text NOT NULL,
	"position" text NOT NULL,
	"position_index" integer NOT NULL,
	"player_id" integer,
	"pass_rate" real,
	CONSTRAINT "organized_crime_slots_crime_id_slot_pk" PRIMARY KEY("crime_id","slot")
);
--> statement-breakpoint
CREATE TABLE "organized_crimes" (
	"id" integer PRIMARY KEY NOT NULL,
	"faction_id" integer NOT NULL,
	"name" text NOT NULL,
	"difficulty" integer NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"ready_at" timestamp with time zone,
	"executed_at" timestamp with time zone,
	"expired_at" timestamp with time zone,
	"last_seen" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "retaliations" (
	"code" text PRIMARY KEY NOT NULL,
	"faction_id" integer NOT NULL,
	"attack_ended" timestamp with time zone NOT NULL,
	"defender_id" integer NOT NULL,
	"defender_name" text NOT NULL,
	"attacker_id" integer NOT NULL,
	"attacker_name" text NOT NULL,
	"answered_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "game_budgets" (
	"player_id" integer PRIMARY KEY NOT NULL,
	"minute" timestamp with time zone NOT NULL,
	"used" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "battle_stats" (
	"player_id" integer PRIMARY KEY NOT NULL,
	"strength" bigint NOT NULL,
	"defense" bigint NOT NULL,
	"speed" bigint NOT NULL,
	"dexterity" bigint NOT NULL,
	"score" double precision NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "estimate_models" (
	"id" uuid PRIMARY KEY NOT NULL,
	"trained_at" timestamp with time zone NOT NULL,
	"in_force" boolean NOT NULL,
	"model" jsonb NOT NULL,
	"card" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "personal_stats" (
	"player_id" integer NOT NULL,
	"day" date NOT NULL,
	"counters" jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "personal_stats_player_id_day_pk" PRIMARY KEY("player_id","day")
);
--> statement-breakpoint
CREATE TABLE "stat_entries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"visible_to" integer NOT NULL,
	"player_id" integer NOT NULL,
	"score" double precision NOT NULL,
	"time_added" timestamp with time zone NOT NULL,
	"sigma" real NOT NULL,
	"fair_fight" real,
	"lower_bound" boolean DEFAULT false NOT NULL,
	"source" text NOT NULL,
	"attack_code" text,
	"contributor_id" integer,
	CONSTRAINT "stat_entries_attack" UNIQUE("attack_code","player_id")
);
--> statement-breakpoint
CREATE TABLE "stat_estimates" (
	"player_id" integer PRIMARY KEY NOT NULL,
	"score" double precision NOT NULL,
	"min_battle_stats" bigint NOT NULL,
	"max_battle_stats" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"stats_at" timestamp with time zone NOT NULL,
	"model_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stat_latest" (
	"visible_to" integer NOT NULL,
	"player_id" integer NOT NULL,
	"score" double precision NOT NULL,
	"time_added" timestamp with time zone NOT NULL,
	"level" integer NOT NULL,
	"draw" real NOT NULL,
	CONSTRAINT "stat_latest_visible_to_player_id_pk" PRIMARY KEY("visible_to","player_id")
);
--> statement-breakpoint
CREATE TABLE "items" (
	"id" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"market_price" bigint,
	"last_seen" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "market_prices" (
	"name" text PRIMARY KEY NOT NULL,
	"price" double precision NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stock_latest" (
	"stock_id" integer PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"price" double precision NOT NULL,
	"market_cap" bigint NOT NULL,
	"shares" bigint NOT NULL,
	"investors" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stock_ticks" (
	"stock_id" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"price" double precision NOT NULL,
	"market_cap" bigint,
	"shares" bigint,
	"investors" integer,
	CONSTRAINT "stock_ticks_stock_id_at_pk" PRIMARY KEY("stock_id","at")
);
--> statement-breakpoint
CREATE TABLE "stocks" (
	"id" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"acronym" text NOT NULL,
	"passive" boolean NOT NULL,
	"frequency" integer,
	"requirement" bigint NOT NULL,
	"description" text NOT NULL,
	"last_seen" timestamp with time zone NOT NULL,
	"missing_since" timestamp with time zone,
	"history_asked_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "shares_opponent_stats" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "attacks_attempt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "attacks_seen" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "game_keys" ADD COLUMN "owner_attempt" timestamp with time zone DEFAULT '-infinity' NOT NULL;--> statement-breakpoint
ALTER TABLE "factions" ADD COLUMN "positions_attempt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "factions" ADD COLUMN "attacks_attempt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "factions" ADD COLUMN "crimes_attempt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "factions" ADD COLUMN "positions_refreshed" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "factions" ADD COLUMN "attacks_seen" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "factions" ADD COLUMN "crimes_migrated" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "factions" ADD COLUMN "chat_server_id" bigint;--> statement-breakpoint
ALTER TABLE "factions" ADD COLUMN "stat_sharing" text DEFAULT 'everybody' NOT NULL;--> statement-breakpoint
ALTER TABLE "players" ADD COLUMN "signed_up" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "players" ADD COLUMN "federal_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "chat_server_admins" ADD CONSTRAINT "chat_server_admins_server_id_chat_servers_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."chat_servers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_server_factions" ADD CONSTRAINT "chat_server_factions_server_id_chat_servers_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."chat_servers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organized_crime_slots" ADD CONSTRAINT "organized_crime_slots_crime_id_organized_crimes_id_fk" FOREIGN KEY ("crime_id") REFERENCES "public"."organized_crimes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "vault_requests_faction" ON "vault_requests" USING btree ("faction_id","requested_at","id");--> statement-breakpoint
CREATE INDEX "vault_requests_player" ON "vault_requests" USING btree ("player_id","requested_at","id");--> statement-breakpoint
CREATE INDEX "vault_requests_expiry" ON "vault_requests" USING btree ("expires_at") WHERE "vault_requests"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "vault_requests_unproved" ON "vault_requests" USING btree ("closed_at") WHERE "vault_requests"."verification" = 'waiting';--> statement-breakpoint
CREATE INDEX "chat_interactions_age" ON "chat_interactions" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "chat_messages_due" ON "chat_messages" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "chat_messages_age" ON "chat_messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "chat_messages_letters" ON "chat_messages" USING btree ("created_at") WHERE "chat_messages"."recipient_id" is not null;--> statement-breakpoint
CREATE INDEX "chat_messages_given_up" ON "chat_messages" USING btree ("created_at") WHERE "chat_messages"."due_at" is null and "chat_messages"."delivered" < "chat_messages"."version";--> statement-breakpoint
CREATE INDEX "chat_server_admins_who" ON "chat_server_admins" USING btree ("chat_id");--> statement-breakpoint
CREATE INDEX "organized_crime_delays_faction" ON "organized_crime_delays" USING btree ("faction_id","crime_id","seen_at","slot","player_id","position","position_index","reason");--> statement-breakpoint
CREATE INDEX "organized_crimes_faction" ON "organized_crimes" USING btree ("faction_id","id");--> statement-breakpoint
CREATE INDEX "organized_crimes_age" ON "organized_crimes" USING btree ("last_seen");--> statement-breakpoint
CREATE INDEX "retaliations_faction" ON "retaliations" USING btree ("faction_id","attack_ended");--> statement-breakpoint
CREATE INDEX "retaliations_age" ON "retaliations" USING btree ("attack_ended");--> statement-breakpoint
CREATE INDEX "personal_stats_day" ON "personal_stats" USING btree ("day");--> statement-breakpoint
CREATE INDEX "stat_entries_newest" ON "stat_entries" USING btree ("player_id","visible_to","time_added");--> statement-breakpoint
CREATE INDEX "stat_entries_time" ON "stat_entries" USING btree ("time_added");--> statement-breakpoint
CREATE INDEX "stat_entries_contributor" ON "stat_entries" USING btree ("contributor_id");--> statement-breakpoint
CREATE INDEX "stat_entries_public" ON "stat_entries" USING btree ("time_added","id","player_id") WHERE "stat_entries"."visible_to" = 0 and "stat_entries"."source" = 'fight';--> statement-breakpoint
CREATE INDEX "stat_latest_random" ON "stat_latest" USING btree ("visible_to","draw","player_id","score","level","time_added");--> statement-breakpoint
CREATE INDEX "stat_latest_recent" ON "stat_latest" USING btree ("visible_to","time_added","player_id","score","level","draw");--> statement-breakpoint
CREATE INDEX "stat_latest_level" ON "stat_latest" USING btree ("visible_to","level","score","player_id","time_added","draw");--> statement-breakpoint
CREATE INDEX "stat_latest_player" ON "stat_latest" USING btree ("player_id");--> statement-breakpoint
CREATE INDEX "accounts_created" ON "accounts" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "accounts_banned" ON "accounts" USING btree ("created_at","id") WHERE "accounts"."banned_at" is not null;--> statement-breakpoint
CREATE INDEX "accounts_lenders" ON "accounts" USING btree ("id") WHERE "accounts"."lends_key";--> statement-breakpoint
CREATE INDEX "accounts_sharers" ON "accounts" USING btree ("attacks_attempt" NULLS FIRST,"id") WHERE "accounts"."shares_opponent_stats";--> statement-breakpoint
CREATE INDEX "game_keys_due" ON "game_keys" USING btree ("owner_attempt","player_id") WHERE "game_keys"."state" = 'active';--> statement-breakpoint
CREATE INDEX "consents_account" ON "consents" USING btree ("account_id","client_id");--> statement-breakpoint
CREATE INDEX "audit_log_act" ON "audit_log" USING btree ("act","id") WHERE "audit_log"."act" <> 'tokens-refreshed';--> statement-breakpoint
CREATE INDEX "job_runs_open" ON "job_runs" USING btree ("job") WHERE "job_runs"."finished_at" is null;--> statement-breakpoint
CREATE INDEX "players_readers" ON "players" USING btree ("faction_id") WHERE "players"."faction_api_access";--> statement-breakpoint
CREATE INDEX "players_untried" ON "players" USING btree ("last_attempt" NULLS FIRST,"id");
--> statement-breakpoint
CREATE FUNCTION stat_latest_follows_level() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE stat_latest SET level = coalesce(NEW.level, 0) WHERE player_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER stat_latest_level AFTER UPDATE OF level ON players
  FOR EACH ROW WHEN (OLD.level IS DISTINCT FROM NEW.level) EXECUTE FUNCTION stat_latest_follows_level();
