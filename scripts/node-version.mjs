import path from "node:path";

/** For scripts that may start under another Node than the installed one. */
const [major] = process.versions.node.split(".").map(Number);
if (major < 24) {
  process.stderr.write(
    `Adjutant needs Node.js 24 or newer, and this is ${process.versions.node}. \`npm ci\` brings one along, unless it is run with --ignore-scripts.\n`,
  );
  process.exit(1);
}

// tsx takes text after ? for a URL's query; the page build takes text after # for a fragment.
if (/[?#]/.test(import.meta.dirname)) {
  process.stderr.write(
    `Adjutant cannot run in a folder with ? or # in its path: move it from ${path.dirname(import.meta.dirname)}.\n`,
  );
  process.exit(1);
}
