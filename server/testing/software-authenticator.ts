import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

const flag = {
  userPresent: 0x01,
  userVerified: 0x04,
  backupEligible: 0x08,
  backedUp: 0x10,
  attested: 0x40,
};

interface Held {
  readonly id: string;
  readonly userHandle: string;
  readonly privateKey: KeyObject;
  counter: number;
}

/** Faults of authenticator or browser; none by default. */
export interface Behaviour {
  readonly origin?: string;
  readonly rpId?: string;
  readonly verifiesUser?: boolean;
  /** Default: one more each time. */
  readonly counter?: number;
  readonly userHandle?: string | null;
}

interface CreationOptions {
  readonly challenge: string;
  readonly user: { readonly id: string };
  readonly excludeCredentials?: readonly { readonly id: string }[];
}

interface RequestOptions {
  readonly challenge: string;
  readonly allowCredentials?: readonly { readonly id: string }[];
}

/** Acts for its browser too: ES256, no attestation, a synchronised passkey. */
export function softwareAuthenticator({ baseUrl }: { readonly baseUrl: string }) {
  const held: Held[] = [];
  const { hostname, origin: ownOrigin } = new URL(baseUrl);

  const clientData = (type: string, challenge: string, origin = ownOrigin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  const head = ({ rpId = hostname, verifiesUser = true }: Behaviour, counter: number, more = 0) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const flags =
      flag.userPresent |
      flag.backupEligible |
      flag.backedUp |
      (verifiesUser ? flag.userVerified : 0) |
      more;
    return Buffer.concat([createHash("sha256").update(rpId).digest(), Buffer.from([flags]), count]);
  };

  const answerOf = (id: string, response: Record<string, unknown>) =>
    JSON.stringify({ id, rawId: id, type: "public-key", clientExtensionResults: {}, response });

  return {
    create(options: CreationOptions, behaviour: Behaviour = {}): string {
      if (options.excludeCredentials?.some(({ id }) => held.some((own) => own.id === id)))
        throw new Error("InvalidStateError: the authenticator holds a passkey of this account.");
      const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const { x = "", y = "" } = publicKey.export({ format: "jwk" });
      const credential = randomBytes(32);
      const passkey = {
        id: credential.toString("base64url"),
        userHandle: options.user.id,
        privateKey,
        counter: 0,
      };
      held.push(passkey);
      const coseKey = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, new Uint8Array(Buffer.from(x, "base64url"))],
          [-3, new Uint8Array(Buffer.from(y, "base64url"))],
        ]),
      );
      const authData = Buffer.concat([
        head(behaviour, behaviour.counter ?? 0, flag.attested),
        Buffer.alloc(16),
        Buffer.from([0, credential.length]),
        credential,
        coseKey,
      ]);
      const attestation = new Map<string, string | Uint8Array | Map<string, never>>([
        ["fmt", "none"],
        ["attStmt", new Map<string, never>()],
        ["authData", new Uint8Array(authData)],
      ]);
      return answerOf(passkey.id, {
        clientDataJSON: clientData("webauthn.create", options.challenge, behaviour.origin).toString(
          "base64url",
        ),
        attestationObject: Buffer.from(isoCBOR.encode(attestation)).toString("base64url"),
        transports: ["internal", "hybrid"],
      });
    },

    /** As `navigator.credentials.get`, with the newest allowed passkey. @returns JSON */
    get(options: RequestOptions, behaviour: Behaviour = {}): string {
      const allowed = options.allowCredentials?.length
        ? options.allowCredentials.map(({ id }) => id)
        : undefined;
      const passkey = held.findLast(({ id }) => !allowed || allowed.includes(id));
      if (!passkey) throw new Error("NotAllowedError: the authenticator holds no such passkey.");
      passkey.counter = behaviour.counter ?? passkey.counter + 1;
      const authenticatorData = head(behaviour, passkey.counter);
      const clientDataJSON = clientData("webauthn.get", options.challenge, behaviour.origin);
      const signed = Buffer.concat([
        authenticatorData,
        createHash("sha256").update(clientDataJSON).digest(),
      ]);
      const { userHandle = passkey.userHandle } = behaviour;
      return answerOf(passkey.id, {
        clientDataJSON: clientDataJSON.toString("base64url"),
        authenticatorData: authenticatorData.toString("base64url"),
        signature: sign("sha256", signed, passkey.privateKey).toString("base64url"),
        ...(userHandle === null ? {} : { userHandle }),
      });
    },
  };
}
