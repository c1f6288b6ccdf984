import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";

export interface ChatProviderDouble {
  readonly settings: Readonly<Record<string, string>>;
  /**
   * Acts as a browser without script.
   * @param answer the number of the chat account; null cancels
   * @returns the redirect back to the product
   */
  visit(location: string, answer: string | null): Promise<URL>;
  stop(): void;
}

export async function startChatProvider(baseUrl: string): Promise<ChatProviderDouble> {
  const script = path.join(import.meta.dirname, "serve.ts");
  const redirectUri = `${baseUrl}/sign-in/chat/callback`;
  const child = spawn(process.execPath, ["--import", "tsx", script, redirectUri], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  const settings = await settingsFrom(child.stdout);
  return {
    settings,
    visit: (location, answer) => visit({ location, answer, baseUrl }),
    stop: () => {
      process.off("exit", kill);
      kill();
    },
  };
}

async function settingsFrom(output: NodeJS.ReadableStream): Promise<Record<string, string>> {
  for await (const line of createInterface({ input: output }))
    if (line.startsWith("{")) return JSON.parse(line);
  throw new Error("The chat's provider did not start.");
}

async function visit(asked: {
  location: string;
  answer: string | null;
  baseUrl: string;
}): Promise<URL> {
  const jar = new Map<string, string>();
  const go = async (url: URL, form?: Record<string, string>): Promise<URL> => {
    if (url.origin === asked.baseUrl) return url;
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const init = form ? { method: "POST", body: new URLSearchParams(form) } : {};
    const response = await fetch(url, { ...init, headers: { cookie }, redirect: "manual" });
    await response.body?.cancel();
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    const next = response.headers.get("location");
    if (next) return go(new URL(next, url));
    if (form || response.status !== 200)
      throw new Error(`The chat's provider answered ${response.status}.`);
    return go(
      url,
      asked.answer === null ? { answer: "no" } : { answer: "yes", account: asked.answer },
    );
  };
  return go(new URL(asked.location));
}
