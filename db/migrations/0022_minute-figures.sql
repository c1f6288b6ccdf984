CREATE TABLE "minute_figures" (
	"minute" timestamp with time zone NOT NULL,
	"name" text NOT NULL,
	"value" double precision NOT NULL,
	CONSTRAINT "minute_figures_minute_name_pk" PRIMARY KEY("minute","name")
);
