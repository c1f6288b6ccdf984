import path from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    alias: [
      {
        find: /^#(server|simulator|db)\//,
        replacement: `${path.join(import.meta.dirname, "..")}/$1/`,
      },
    ],
  },
});
