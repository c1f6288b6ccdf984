import "reflect-metadata";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  BasicConstraintsExtension,
  cryptoProvider,
  type JsonGeneralName,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { dayMs } from "#server/platform/time";

export interface Authority {
  readonly folder: string;
  readonly file: string;
  /** PEM; for a server's names, or a client's common name. */
  issue(
    names: readonly JsonGeneralName[],
    commonName?: string,
    until?: Date,
  ): Promise<{ key: string; certificate: string }>;
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const newKeys = () => crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);

/** Certificates are valid for a day. The caller removes the folder. */
export async function makeAuthority(): Promise<Authority> {
  cryptoProvider.set(crypto);
  const folder = mkdtempSync(path.join(tmpdir(), "adjutant-ca-"));
  const file = path.join(folder, "ca.crt");
  const issuer = "CN=A test's own CA";
  const valid = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) };
  const own = await newKeys();
  const authority = await X509CertificateGenerator.createSelfSigned({
    ...valid,
    name: issuer,
    keys: own,
    signingAlgorithm: algorithm,
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  writeFileSync(file, authority.toString("pem"));
  return {
    folder,
    file,
    issue: async (names, commonName = "server", until = valid.notAfter) => {
      const keys = await newKeys();
      const certificate = await X509CertificateGenerator.create({
        ...{ ...valid, notAfter: until },
        subject: `CN=${commonName}`,
        issuer,
        publicKey: keys.publicKey,
        signingKey: own.privateKey,
        signingAlgorithm: algorithm,
        extensions: [new SubjectAlternativeNameExtension([...names])],
      });
      const key = PemConverter.encode(
        await crypto.subtle.exportKey("pkcs8", keys.privateKey),
        "PRIVATE KEY",
      );
      return { key, certificate: certificate.toString("pem") };
    },
  };
}
