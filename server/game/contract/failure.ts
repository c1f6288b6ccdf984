import { z } from "zod";

/** Answer of every selection when the game refuses; it comes with HTTP 200. */
export const GameFailure = z.object({ error: z.object({ code: z.int(), error: z.string().optional() }) });
