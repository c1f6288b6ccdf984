/**
 * Imported first by scripts that may be started with another Node than the one that `npm ci`
 * installs.
 */
const [major] = process.versions.node.split(".").map(Number);
if (major < 24) {
  process.stderr.write(
    `Adjutant needs Node.js 24 or newer, and this is ${process.versions.node}. \`npm ci\` brings one along, unless it is run with --ignore-scripts.\n`,
  );
  process.exit(1);
}
