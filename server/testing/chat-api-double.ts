import { createServer, type IncomingMessage } from "node:http";
import { afterAll } from "vitest";
import { onLoopback } from "./on-loopback";

export interface ChatCall {
  readonly method: string;
  /** Path below the version, with its query. */
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Record<string, unknown>;
}

export interface ChatFault {
  /** Matches a part of `METHOD path`. */
  readonly when: string;
  readonly status?: number;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answerLost?: true;
  readonly times?: number;
}

export interface DoubleServer {
  readonly id: string;
  name: string;
  owner_id: string;
  roles: { id: string; name: string; permissions: string; position: number }[];
  members: { user: { id: string; bot?: boolean }; roles: string[] }[];
  channels: { id: string; name: string; type: number; position: number }[];
}

interface StandingMessage {
  readonly id: string;
  readonly channel: string;
  body: Record<string, unknown>;
}

const aboutServer = ({ id, name, owner_id }: DoubleServer) => ({ id, name, owner_id });
const notFound = (code: number) => ({ status: 404, body: { message: "Unknown", code } });

/**
 * The parts of the chat's REST API that the product uses, with idempotency keys, on loopback.
 * Records every call, and stops after the file's last test.
 */
export async function startChatApi(token = "of-the-bot") {
  const calls: ChatCall[] = [];
  const faults: (ChatFault & { left: number })[] = [];
  const servers: DoubleServer[] = [];
  const messages: StandingMessage[] = [];
  const marks = new Map<string, StandingMessage>();
  let newest = 1_500_000_000_000_000_000n;
  let posts = 0;

  const post = (channel: string, body: Record<string, unknown>): StandingMessage => {
    const mark = body.enforce_nonce ? `${channel} ${body.nonce}` : undefined;
    const before = mark && marks.get(mark);
    if (before) return before;
    newest += 1n;
    posts += 1;
    const message = { id: String(newest), channel, body };
    messages.push(message);
    if (mark) marks.set(mark, message);
    return message;
  };

  const execute = ({ method, path, body }: ChatCall): { status: number; body: unknown } => {
    const { pathname, searchParams } = new URL(path, "http://chat.test");
    const [kind, id = "", part, last = ""] = pathname.slice(1).split("/");
    const after = BigInt(searchParams.get("after") ?? 0);
    const limit = Number(searchParams.get("limit") ?? 100);
    const page = <T>(rows: readonly T[], idOf: (row: T) => string) =>
      rows.filter((row) => BigInt(idOf(row)) > after).slice(0, limit);
    if (kind === "users" && part === "channels")
      return { status: 200, body: { id: String(BigInt(String(body.recipient_id)) + 1n) } };
    if (kind === "users")
      return { status: 200, body: page(servers, (server) => server.id).map(aboutServer) };
    if (kind === "channels" && method === "POST")
      return { status: 200, body: { id: post(id, body).id } };
    if (kind === "channels") {
      const message = messages.find((one) => one.channel === id && one.id === last);
      if (!message) return notFound(10_008);
      message.body = body;
      return { status: 200, body: { id: message.id } };
    }
    if (kind === "webhooks") return { status: 200, body: {} };
    if (kind === "applications") return { status: 200, body: { id: "1400000000000000001" } };
    const server = servers.find((one) => one.id === id);
    if (!server) return notFound(10_004);
    if (part === "roles") return { status: 200, body: server.roles };
    if (part === "channels") return { status: 200, body: server.channels };
    if (part === "members")
      return { status: 200, body: page(server.members, (member) => member.user.id) };
    return { status: 200, body: aboutServer(server) };
  };

  const http = createServer(async (request, response) => {
    const call = await readCall(request);
    calls.push(call);
    const fault = faults.find(
      ({ when, left }) => left > 0 && `${call.method} ${call.path}`.includes(when),
    );
    if (fault) fault.left -= 1;
    if (fault?.answerLost) {
      execute(call);
      return void response.destroy();
    }
    const said =
      call.authorization !== `Bot ${token}`
        ? { status: 401, body: { message: "401: Unauthorized", code: 0 } }
        : fault
          ? {
              status: fault.status ?? 500,
              body: fault.body ?? { message: "As the test wants it.", code: 0 },
            }
          : execute(call);
    response.writeHead(said.status, { "content-type": "application/json", ...fault?.headers });
    response.end(JSON.stringify(said.body));
  });
  const port = await onLoopback(http, afterAll);

  return {
    settings: { apiUrl: `http://127.0.0.1:${port}/api/v10`, token },
    calls,
    servers,
    messages,
    posted: () => posts,
    fail: (fault: ChatFault) => void faults.push({ ...fault, left: fault.times ?? 1 }),
    wipe: () => void messages.splice(0),
    /** Expires idempotency keys, as the chat does after a few minutes. */
    forgetMarks: () => marks.clear(),
  };
}

async function readCall(request: IncomingMessage): Promise<ChatCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return {
    method: request.method ?? "",
    path: (request.url ?? "").replace("/api/v10", ""),
    authorization: request.headers.authorization,
    body: text ? JSON.parse(text) : {},
  };
}
