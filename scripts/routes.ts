import { apiPrefix } from "#server/machine-path";
import { expandAliases } from "#server/rest/router";
import { routes } from "#server/routes";

const rows = expandAliases(routes).map(({ path, endpoint }) => ({
  method: endpoint.method,
  path: apiPrefix + path,
  scopes: endpoint.scopes.join(" ") || "–",
  title: endpoint.title,
}));
const width = (column: "method" | "path" | "scopes") =>
  Math.max(...rows.map((row) => row[column].length));
for (const { method, path, scopes, title } of rows) {
  const cells = [
    method.padEnd(width("method")),
    path.padEnd(width("path")),
    scopes.padEnd(width("scopes")),
    title,
  ];
  process.stdout.write(`${cells.join("  ")}\n`);
}
