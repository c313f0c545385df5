import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { issued } from './certificates.js'
import { running, type Running } from './servers.js'

/** A TLS server, and the root certificate that its clients must trust. */
export interface HttpsServer extends Running {
  /** PEM. */
  readonly ca: string
}

export interface HttpsServerOptions {
  /** Names in the certificate, the first for `url`; default `known.example`. */
  readonly names?: readonly string[]
  readonly host?: string
}

/** An HTTPS server on loopback, with a certificate of its own root. Throws if the program openssl is not installed. */
export async function httpsServer(
  listener: RequestListener,
  { names = ['known.example'], host = '127.0.0.1' }: HttpsServerOptions = {},
): Promise<HttpsServer> {
  const pair = issued({ names })
  if (pair === null) throw new Error('the test server for HTTPS needs the program openssl (Debian package openssl)')
  const server = await running(createServer({ key: pair.key, cert: pair.cert }, listener), host, 0)
  return { ...server, url: `https://${names[0] ?? host}:${String(server.port)}`, ca: pair.root }
}
