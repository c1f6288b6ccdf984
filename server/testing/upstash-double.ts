import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { Redis } from "ioredis";
import { onLoopback } from "./on-loopback";

/**
 * Upstash's REST protocol in front of a Redis: POST of a JSON command, or of a list to /pipeline.
 * Checks the token. Removes the first line of @upstash/ratelimit's scripts, which only Upstash's
 * Redis understands; their hashes then name the rest.
 */
export async function startUpstashDouble(redisUrl: string, token: string) {
  const redis = new Redis(redisUrl);
  const hashes = new Map<string, string>();
  const plain = ([command = "", script = "", ...args]: string[]): [string, ...string[]] => {
    if (command === "evalsha") return [command, hashes.get(script) ?? script, ...args];
    if (command !== "eval") return [command, script, ...args];
    const rest = script.replace(/^#!.*\n/, "");
    hashes.set(sha1(script), sha1(rest));
    return [command, rest, ...args];
  };
  const execute = async (sent: string[]) =>
    redis.call(...plain(sent)).then(
      (result) => ({ result }),
      (error: Error) => ({ error: error.message }),
    );
  const server = createServer(async (request, response) => {
    const say = (status: number, answer: object) => {
      response.statusCode = status;
      response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
    };
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.headers.authorization !== `Bearer ${token}`)
      return say(401, { error: "WRONGPASS" });
    const sent: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (request.url === "/pipeline")
      return say(200, await Promise.all((sent as string[][]).map(execute)));
    const answer = await execute(sent as string[]);
    say("error" in answer ? 400 : 200, answer);
  });
  const port = await onLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      redis.disconnect();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const sha1 = (text: string): string => createHash("sha1").update(text).digest("hex");
