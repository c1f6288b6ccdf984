/** All tables, for the migration generator and the database handle. */
export * from "./accounts";
export * from "./chat";
export * from "./events";
export * from "./faction";
export * from "./oauth";
export * from "./operations";
export * from "./players";
export * from "./stats";
export * from "./stocks";
export * from "./webhooks";
