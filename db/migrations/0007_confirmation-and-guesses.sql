CREATE TABLE "second_factor_guesses" (
	"account_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"recent" timestamp with time zone[] NOT NULL,
	"in_a_row" integer NOT NULL,
	"told" boolean DEFAULT false NOT NULL,
	CONSTRAINT "second_factor_guesses_account_id_kind_pk" PRIMARY KEY("account_id","kind")
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "confirmed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "second_factor_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "second_factor_guesses" ADD CONSTRAINT "second_factor_guesses_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;