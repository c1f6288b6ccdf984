/** All tables, for the migration generator and the database handle. */
export * from "./accounts";
export * from "./oauth";
export * from "./operations";
export * from "./players";
